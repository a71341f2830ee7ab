package dev.cairn.store.writing;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.MemoryBlobStore;

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
