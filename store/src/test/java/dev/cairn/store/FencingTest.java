package dev.cairn.store;

class FencingTest extends FencingContract {
    @Override
    protected BlobStore empty() {
        return new MemoryBlobStore();
    }

    @Override
    protected int stride() {
        return 1;
    }
}
