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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Acquires a lease that another process may hold. The waiting process measures the time from when it first saw a
/// number until it sees another. Wall clocks do not matter, and a lease whose number changes is never treated as
/// expired.
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

    /// Prepares to wait for the lease of this run.
    public LeaseWait(BlobStore blobs, String run, WriterClaim claim) throws IOException {
        this.blobs = blobs;
        this.folder = new LeaseFolder(blobs);
        this.run = run;
        this.place = blobs.place();
        this.claim = claim;
        this.holder = Holder.text(claim.clock().now());
        this.startNanos = claim.clock().nanos();
    }

    /// Returns the lease, without renewals.
    ///
    /// @throws StoreLockedException if its holder keeps renewing it
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

    /// The time that the holder has to renew. The holder's own setting counts, so that a waiting process does not
    /// need the same settings.
    private Duration ttl() {
        LeaseBlob lease = seen.lease();
        return lease == null ? WriterClaim.LONGEST_TTL : lease.ttl();
    }

    private boolean isFree() {
        return seen.isNothing()
                || seen.isReleased()
                || seen.isElsewhere(place)
                || isOfOurJob()
                || claim.urgency() == Urgency.AT_ONCE;
    }

    private boolean isOfOurJob() {
        LeaseBlob lease = seen.lease();
        return lease != null && !claim.job().isEmpty() && lease.isOfJob(claim.job());
    }

    private Optional<Lease> tryToTake() throws IOException {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        var mine = new LeaseBlob(
                seen.number() + 1, HexFormat.of().formatHex(nonce), place, claim.ttl(), State.HELD, holder, group());
        Optional<TakeOver> takeOver = takeOver();
        try {
            folder.create(mine);
        } catch (FileAlreadyExistsException othersWereFaster) {
            return Optional.empty();
        }
        if (folder.highest() > mine.number()) {
            // The number that was seen was outdated: it had already been taken and removed.
            folder.delete(mine.number());
            return Optional.empty();
        }
        if (!seen.isNothing() && !seen.isReleased() && !seen.isElsewhere(place) && !isOfOurJob()) {
            claim.listener().takenOver(seen.holder());
        }
        return Optional.of(new Lease(folder, mine, takeOver));
    }

    private @Nullable Generation group() {
        return claim.job().isEmpty() ? null : new Generation(claim.job(), 0, List.of());
    }

    /// The run was released only if the lease says so, or if there is no trace of a lease yet.
    private Optional<TakeOver> takeOver() throws IOException {
        boolean isNew = seen.isNothing()
                && blobs.list(RunFiles.LOG).isEmpty()
                && blobs.list(RunFiles.SEGMENTS).isEmpty();
        if (isNew || seen.isReleased()) {
            return Optional.empty();
        }
        String from = seen.isNothing() ? "a process without a lease" : seen.holder();
        return Optional.of(new TakeOver(
                claim.clock().now(), seen.isElsewhere(place) ? from + ", whose run this is a copy of" : from, holder));
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
