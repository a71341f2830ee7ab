package dev.cairn.checkpoint;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A store in which one operation hangs until the test lets it go on.
public final class SlowBlobStore extends ForwardingBlobStore {
    private volatile Operation hanging = Operation.NONE;
    private volatile CountDownLatch reached = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(1);

    public enum Operation {
        NONE,
        APPEND,
        FINISH
    }

    public SlowBlobStore(Path run) {
        this(new LocalBlobStore(run));
    }

    SlowBlobStore(BlobStore below) {
        super(below);
    }

    /// From now on this operation hangs.
    public void hang(Operation operation) {
        reached = new CountDownLatch(1);
        released = new CountDownLatch(1);
        hanging = operation;
    }

    public void awaitHanging() throws InterruptedException {
        if (!reached.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException("nothing hangs: " + hanging);
        }
    }

    public void release() {
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
        return new ForwardingWriter(super.write(name)) {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                pass(Operation.APPEND);
                super.append(bytes);
            }

            @Override
            public void finish() throws IOException {
                pass(Operation.FINISH);
                super.finish();
            }
        };
    }
}
