package dev.cairn.store.right;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.log.SealedText;
import dev.cairn.store.right.LeaseBlob.State;
import dev.cairn.store.right.LeaseFolder.Seen;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The right to write to a run, held through numbered blobs that every process with access to the storage sees. It
/// needs only create-if-absent, read, list and delete. It does not need synchronized clocks.
///
/// The holder of the highest number holds the run. A holder renews the lease by creating the next number. A process
/// that takes over creates the same number, so exactly one of them succeeds. A holder that cannot reach the storage
/// continues: it keeps the lease until another process has a higher number. Then the lease is lost permanently.
public final class Lease implements WriterRight {
    private static final Logger LOG = System.getLogger("dev.cairn.store");
    private static final int RENEWALS_A_TTL = 3;
    private static final int RETRIES_A_TTL = 15;
    private static final Duration CLOSING_PATIENCE = Duration.ofSeconds(5);

    private final LeaseFolder folder;
    private final Optional<TakeOver> takeOver;
    private final long ttlMillis;
    private final CountDownLatch closing = new CountDownLatch(1);
    /// Held while the numbers are read or changed. Not `synchronized`, so that `close` does not wait forever for
    /// storage that hangs.
    private final ReentrantLock storage = new ReentrantLock();

    private LeaseBlob mine;
    private boolean released;
    private volatile boolean recordDue;
    private volatile boolean inDoubt;
    private volatile @Nullable String lostTo;

    Lease(LeaseFolder folder, LeaseBlob mine, Optional<TakeOver> takeOver) {
        this.folder = folder;
        this.mine = mine;
        this.takeOver = takeOver;
        this.recordDue = takeOver.isPresent();
        this.ttlMillis = mine.ttl().toMillis();
    }

    /// Waits for the lease as the claim says, then renews it regularly.
    ///
    /// @param run the name of the run, for people
    static Lease take(BlobStore blobs, String run, WriterClaim claim) throws IOException {
        Lease lease = new LeaseWait(blobs, run, claim).take();
        Thread.ofPlatform().name("cairn-lease").daemon(true).start(lease::renewUntilClosed);
        return lease;
    }

    @Override
    public void check() throws IOException {
        storage.lock();
        try {
            if (lostTo == null) {
                look();
            }
        } finally {
            storage.unlock();
        }
        String other = lostTo;
        if (other != null) {
            throw CommitConflictException.takenOver(SealedText.printable(other));
        }
    }

    @Override
    public boolean isLost() {
        return lostTo != null;
    }

    @Override
    public Optional<TakeOver> takeOver() {
        return takeOver;
    }

    @Override
    public void takeOverRecorded() {
        recordDue = false;
    }

    @Override
    public void inDoubt(boolean doubt) {
        inDoubt = doubt;
    }

    /// Takes the next number. May fail and be retried any number of times.
    void renew() throws IOException {
        storage.lock();
        try {
            if (lostTo == null && !released) {
                look();
            }
            if (lostTo == null && !released && advance(State.HELD)) {
                folder.deleteBelow(mine.number());
            }
        } finally {
            storage.unlock();
        }
    }

    @Override
    public void declare(Generation group) throws IOException {
        storage.lock();
        try {
            if (lostTo == null) {
                look();
            }
            if (lostTo == null && !released && advance(mine.next(group))) {
                folder.deleteBelow(mine.number());
            }
        } finally {
            storage.unlock();
        }
        check();
    }

    /// Whether this lease got the next number and it is the highest.
    private boolean advance(State state) throws IOException {
        return advance(mine.next(mine.number() + 1, state));
    }

    private boolean advance(LeaseBlob next) throws IOException {
        try {
            folder.create(next);
        } catch (FileAlreadyExistsException taken) {
            if (!isOurs(next.number())) {
                lose(folder.look());
                return false;
            }
        }
        mine = next;
        look();
        if (lostTo != null) {
            folder.delete(next.number());
        }
        return lostTo == null;
    }

    /// Whether this lease created this number, in an attempt whose reply was lost.
    private boolean isOurs(long number) throws IOException {
        try {
            return folder.read(number).isSameHolder(mine);
        } catch (NoSuchFileException | StoreException gone) {
            return false;
        }
    }

    private void look() throws IOException {
        if (folder.highest() <= mine.number()) {
            return;
        }
        Seen seen = folder.look();
        LeaseBlob highest = seen.lease();
        if (highest != null && highest.isSameHolder(mine)) {
            mine = highest;
        } else {
            lose(seen);
        }
    }

    private void lose(Seen seen) {
        lostTo = seen.holder();
        LOG.log(Level.DEBUG, "lease lost number=" + mine.number() + " to=" + seen.holder());
    }

    private void renewUntilClosed() {
        boolean failing = false;
        try {
            while (!closing.await(ttlMillis / (failing ? RETRIES_A_TTL : RENEWALS_A_TTL), TimeUnit.MILLISECONDS)) {
                try {
                    renew();
                    failing = false;
                } catch (IOException | RuntimeException | Error e) {
                    if (!failing) {
                        LOG.log(Level.WARNING, "lease not renewed, will retry: " + e.getMessage());
                    }
                    failing = true;
                }
                if (isLost()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Releases the lease by creating the next number. If that fails, the lease expires by itself.
    @Override
    public void close() {
        closing.countDown();
        try {
            if (!storage.tryLock(CLOSING_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.log(Level.WARNING, "lease not released because the storage hangs; it will expire");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            release();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "lease not released, it will expire: " + e.getMessage());
        } finally {
            storage.unlock();
        }
    }

    private void release() throws IOException {
        if (recordDue || inDoubt) {
            return; // The next writer must still stop the previous holder, or a record that may appear late.
        }
        if (lostTo == null && !released) {
            look();
        }
        if (lostTo == null && !released && advance(State.RELEASED)) {
            released = true;
            folder.deleteBelow(mine.number());
        }
    }
}
