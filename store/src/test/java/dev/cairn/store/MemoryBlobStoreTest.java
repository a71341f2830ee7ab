package dev.cairn.store;

class MemoryBlobStoreTest extends BlobStoreContract {
    private final MemoryBlobStore store = new MemoryBlobStore();

    @Override
    protected BlobStore store() {
        return store;
    }
}
