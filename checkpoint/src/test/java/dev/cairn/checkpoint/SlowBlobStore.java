package dev.cairn.checkpoint;

import dev.cairn.store.BlobStore;
import dev.cairn.store.LocalBlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A local store in which one operation hangs until the test lets it go on.
final class SlowBlobStore implements BlobStore {
    private final BlobStore store;
    private volatile Operation hanging = Operation.NONE;
    private volatile CountDownLatch reached = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(1);

    enum Operation {
        NONE,
        APPEND,
        FINISH
    }

    SlowBlobStore(Path run) {
        this.store = new LocalBlobStore(run);
    }

    /// From now on this operation hangs.
    void hang(Operation operation) {
        reached = new CountDownLatch(1);
        released = new CountDownLatch(1);
        hanging = operation;
    }

    void awaitHanging() throws InterruptedException {
        reached.await();
    }

    void release() {
        hanging = Operation.NONE;
        released.countDown();
    }

    private void pass(Operation operation) throws IOException {
        if (hanging == operation) {
            reached.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        BlobWriter writer = store.write(name);
        return new BlobWriter() {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                pass(Operation.APPEND);
                writer.append(bytes);
            }

            @Override
            public void finish() throws IOException {
                pass(Operation.FINISH);
                writer.finish();
            }

            @Override
            public void close() throws IOException {
                writer.close();
            }
        };
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        store.createIfAbsent(name, content);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return store.read(name);
    }

    @Override
    public List<String> listAll() throws IOException {
        return store.listAll();
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return store.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
        store.delete(name);
    }

    @Override
    public long usableBytes() throws IOException {
        return store.usableBytes();
    }
}
