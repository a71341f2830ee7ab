package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A store whose n-th operation fails, in one of the ways that disks fail. Counts operations, so that a test can let
/// each one fail in turn.
public final class FaultyBlobStore extends ForwardingBlobStore {
    public enum Fault {
        /// The operation has no effect.
        BEFORE,
        /// The operation takes effect and still reports a failure: a lost reply, a failed fsync of the folder.
        AFTER
    }

    private final Fault fault;
    private final int failAt;
    private boolean fatal;
    private int operations;

    public FaultyBlobStore(BlobStore below, Fault fault, int failAt) {
        super(below);
        this.fault = fault;
        this.failAt = failAt;
    }

    public boolean faultHappened() {
        return operations >= failAt;
    }

    /// The process is killed: from this operation on nothing has any effect, and nothing is tidied up.
    public static FaultyBlobStore killedAt(BlobStore below, int operation) {
        var store = new FaultyBlobStore(below, Fault.BEFORE, operation);
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
        run(() -> super.createIfAbsent(name, content));
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        run(() -> {});
        return writer(super.write(name));
    }

    @Override
    public BlobWriter replace(String name) throws IOException {
        run(() -> {});
        return writer(super.replace(name));
    }

    private BlobWriter writer(BlobWriter below) {
        return new ForwardingWriter(below) {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                run(() -> super.append(bytes));
            }

            @Override
            public void finish() throws IOException {
                run(super::finish);
            }

            @Override
            public void close() throws IOException {
                if (!isDead()) {
                    super.close();
                }
            }
        };
    }

    @Override
    public void copy(String name, String copy) throws IOException {
        run(() -> super.copy(name, copy));
    }

    @Override
    public void rename(String name, String to) throws IOException {
        run(() -> super.rename(name, to));
    }

    @Override
    public void delete(String name) throws IOException {
        run(() -> super.delete(name));
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        run(() -> super.deleteTemporary(name));
    }
}
