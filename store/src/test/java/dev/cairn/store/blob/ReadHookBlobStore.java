package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A store that lets the test do something before every read: before a blob is opened, and before each range of it.
public final class ReadHookBlobStore extends ForwardingBlobStore {
    private final Hook hook;

    public interface Hook {
        /// Called before each read.
        ///
        /// @param offset where the range begins; -1 where the blob is opened
        void beforeRead(String name, long offset) throws IOException;
    }

    public ReadHookBlobStore(BlobStore below, Hook hook) {
        super(below);
        this.hook = hook;
    }

    @Override
    public BlobReader read(String name) throws IOException {
        hook.beforeRead(name, -1);
        return reader(name, super.read(name));
    }

    @Override
    public BlobReader readUncached(String name) throws IOException {
        hook.beforeRead(name, -1);
        return reader(name, super.readUncached(name));
    }

    private BlobReader reader(String name, BlobReader below) {
        return new ForwardingReader(below) {
            @Override
            public void read(long offset, MemorySegment target) throws IOException {
                hook.beforeRead(name, offset);
                super.read(offset, target);
            }
        };
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        hook.beforeRead(name, -1);
        hook.beforeRead(name, 0);
        return super.readAll(name, most);
    }
}
