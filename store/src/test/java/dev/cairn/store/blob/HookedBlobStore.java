package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A store that stops before its n-th operation, of whatever kind, and lets the test do something first: what happens
/// to a process that is stopped there, while the world goes on.
public final class HookedBlobStore implements BlobStore {
    private final BlobStore inner;
    private final int stopAt;
    private final Hook hook;
    private int operations;

    public interface Hook {
        void run() throws IOException;
    }

    public HookedBlobStore(BlobStore inner, int stopAt, Hook hook) {
        this.inner = inner;
        this.stopAt = stopAt;
        this.hook = hook;
    }

    public boolean hasStopped() {
        return operations >= stopAt;
    }

    private void pass() throws IOException {
        if (++operations == stopAt) {
            hook.run();
        }
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        pass();
        inner.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        pass();
        BlobWriter writer = inner.write(name);
        return new BlobWriter() {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                pass();
                writer.append(bytes);
            }

            @Override
            public void finish() throws IOException {
                pass();
                writer.finish();
            }

            @Override
            public void close() throws IOException {
                writer.close();
            }
        };
    }

    @Override
    public BlobReader read(String name) throws IOException {
        pass();
        return inner.read(name);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        pass();
        return inner.list(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        pass();
        return inner.listAll();
    }

    @Override
    public void delete(String name) throws IOException {
        pass();
        inner.delete(name);
    }

    @Override
    public String place() throws IOException {
        return inner.place();
    }

    @Override
    public boolean isRemote() {
        return inner.isRemote();
    }

    @Override
    public long usableBytes() throws IOException {
        return inner.usableBytes();
    }
}
