package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A store whose n-th operation fails, in one of the ways that disks fail. Counts operations, so that a test can let
/// each one fail in turn.
public final class FaultyBlobStore implements BlobStore {
    public enum Fault {
        /// The operation has no effect.
        BEFORE,
        /// The operation takes effect and still reports a failure: a lost reply, a failed fsync of the folder.
        AFTER
    }

    private final BlobStore inner;
    private final Fault fault;
    private final int failAt;
    private boolean fatal;
    private int operations;

    public FaultyBlobStore(BlobStore inner, Fault fault, int failAt) {
        this.inner = inner;
        this.fault = fault;
        this.failAt = failAt;
    }

    public boolean faultHappened() {
        return operations >= failAt;
    }

    /// The process is killed: from this operation on nothing has any effect, and nothing is tidied up.
    public static FaultyBlobStore killedAt(BlobStore inner, int operation) {
        var store = new FaultyBlobStore(inner, Fault.BEFORE, operation);
        store.fatal = true;
        return store;
    }

    private boolean isDead() {
        return fatal && operations >= failAt;
    }

    private interface Operation {
        void run() throws IOException;
    }

    private void run(Operation operation) throws IOException {
        boolean fails = ++operations == failAt;
        if ((fails && fault == Fault.BEFORE) || isDead()) {
            throw new IOException("injected fault before operation " + operations);
        }
        operation.run();
        if (fails) {
            throw new IOException("injected fault after operation " + operations);
        }
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        run(() -> inner.createIfAbsent(name, content));
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        run(() -> {});
        BlobWriter writer = inner.write(name);
        return new BlobWriter() {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                run(() -> writer.append(bytes));
            }

            @Override
            public void finish() throws IOException {
                run(writer::finish);
            }

            @Override
            public void close() throws IOException {
                if (!isDead()) {
                    writer.close();
                }
            }
        };
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return inner.read(name);
    }

    @Override
    public List<String> listAll() throws IOException {
        return inner.listAll();
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return inner.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
        run(() -> inner.delete(name));
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
