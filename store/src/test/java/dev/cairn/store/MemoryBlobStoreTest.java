package dev.cairn.store;

class MemoryBlobStoreTest extends BlobStoreContract {
    private final MemoryBlobStore store = new MemoryBlobStore();

    @Override
    BlobStore store() {
        return store;
    }
}
