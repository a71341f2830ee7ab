package dev.cairn.store.right;

import dev.cairn.store.StoreLockedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.Guard.TakeOver;
import dev.cairn.store.right.LeaseBlob.State;
import dev.cairn.store.right.LeaseFolder.Seen;
import dev.cairn.store.right.WriterClaim.Urgency;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/// Gets a lease that somebody else may hold. Time is measured by the one who waits, from when it first saw a number
/// until it sees another; nobody's time of day counts, and a number that is seen to change is never taken for dead.
public final class LeaseWait {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int NONCE_BYTES = 16;

    private final BlobStore blobs;
    private final LeaseFolder folder;
    private final String run;
    private final String place;
    private final WriterClaim claim;
    private final String holder;
    private final long startNanos;

    private Seen seen = new Seen(-1, null);
    private long seenNanos;
    private boolean renewed;

    /// Waits for the lease of this run.
    public LeaseWait(BlobStore blobs, String run, WriterClaim claim) throws IOException {
        this.blobs = blobs;
        this.folder = new LeaseFolder(blobs);
        this.run = run;
        this.place = blobs.place();
        this.claim = claim;
        this.holder = Holder.text(claim.clock().now());
        this.startNanos = claim.clock().nanos();
    }

    /// The lease, without renewals; [StoreLockedException] where its holder goes on renewing it.
    public Lease take() throws IOException {
        while (true) {
            long now = claim.clock().nanos();
            look();
            Duration unchanged = Duration.ofNanos(Math.max(0, now - seenNanos));
            Duration left = ttl().minus(unchanged);
            if (isFree() || !left.isPositive()) {
                Optional<Lease> lease = tryToTake();
                if (lease.isPresent()) {
                    return lease.get();
                }
                continue;
            }
            boolean patienceOver = Duration.ofNanos(now - startNanos).compareTo(ttl()) >= 0;
            if (renewed && patienceOver && unchanged.compareTo(ttl().dividedBy(2)) < 0) {
                throw new StoreLockedException(
                        run, seen.holder() + ", which renews its lease", StoreLockedException.Cure.TAKE_OVER);
            }
            claim.listener().waiting(seen.holder(), left);
            pause();
        }
    }

    private void look() throws IOException {
        Seen now = folder.look();
        if (now.number() != seen.number()) {
            renewed = seen.number() >= 0;
            seen = now;
            seenNanos = claim.clock().nanos();
        }
    }

    /// How long the holder gets: what it asked for, so that one who waits does not need to be set up like it.
    private Duration ttl() {
        LeaseBlob lease = seen.lease();
        return lease == null ? WriterClaim.LONGEST_TTL : lease.ttl();
    }

    private boolean isFree() {
        return seen.isNothing() || seen.isReleased() || seen.isElsewhere(place) || claim.urgency() == Urgency.AT_ONCE;
    }

    private Optional<Lease> tryToTake() throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        var mine = new LeaseBlob(
                seen.number() + 1, HexFormat.of().formatHex(nonce), place, claim.ttl(), State.HELD, holder);
        Optional<TakeOver> takeOver = takeOver();
        try {
            folder.create(mine);
        } catch (FileAlreadyExistsException othersWereFaster) {
            return Optional.empty();
        }
        if (folder.highest() > mine.number()) {
            // What was seen was old: the number had come and gone.
            folder.delete(mine.number());
            return Optional.empty();
        }
        if (!seen.isNothing() && !seen.isReleased() && !seen.isElsewhere(place)) {
            claim.listener().takenOver(seen.holder());
        }
        return Optional.of(new Lease(folder, mine, takeOver));
    }

    /// The run was handed over only where the lease says that it was given back, or where there is nothing of it yet.
    private Optional<TakeOver> takeOver() throws IOException {
        boolean isNew = seen.isNothing()
                && blobs.list(RunFiles.LOG).isEmpty()
                && blobs.list(RunFiles.SEGMENTS).isEmpty();
        if (isNew || seen.isReleased()) {
            return Optional.empty();
        }
        String from = seen.isNothing() ? "a process without a lease" : seen.holder();
        return Optional.of(new TakeOver(
                claim.clock().now(), seen.isElsewhere(place) ? from + ", of which this run is a copy" : from, holder));
    }

    private void pause() throws IOException {
        try {
            claim.clock().pause(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the lease of " + run);
        }
    }
}
