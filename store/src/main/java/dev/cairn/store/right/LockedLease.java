package dev.cairn.store.right;

import dev.cairn.store.log.Guard;
import java.io.IOException;
import java.util.Optional;

/// A lease in addition to the lock, if other writers to this folder use leases.
record LockedLease(WriterLock lock, Lease lease) implements WriterRight {
    @Override
    public void check() throws IOException {
        lease.check();
        lock.check();
    }

    @Override
    public boolean isLost() {
        return lease.isLost() || lock.isLost();
    }

    @Override
    public Optional<Guard.TakeOver> takeOver() {
        return lease.takeOver().or(lock::takeOver);
    }

    @Override
    public boolean takesOverByAnyRecord() {
        return lease.takeOver().isEmpty() && lock.takesOverByAnyRecord();
    }

    @Override
    public void takeOverRecorded() {
        lease.takeOverRecorded();
        lock.takeOverRecorded();
    }

    @Override
    public void inDoubt(boolean doubt) {
        lease.inDoubt(doubt);
    }

    @Override
    public void declare(Generation group) throws IOException {
        lease.declare(group);
    }

    @Override
    public void close() throws IOException {
        lease.close();
        lock.close();
    }
}
