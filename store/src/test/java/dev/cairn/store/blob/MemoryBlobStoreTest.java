package dev.cairn.store.blob;

class MemoryBlobStoreTest extends BlobStoreContract {
    private final MemoryBlobStore store = new MemoryBlobStore();

    @Override
    protected BlobStore store() {
        return store;
    }
}
