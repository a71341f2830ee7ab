package dev.cairn.store.right;

import dev.cairn.store.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// The settings for acquiring the right to write to a run. Start from [#usual] and change what differs.
///
/// @param ttl how long a lease outlives its holder; at most 15 seconds
/// @param listener receives events about waiting for a lease
/// @param clock the clock that measures the wait
/// @param job names the job of several processes that the claimer belongs to; empty if it trains alone. A lease
///     of the same job is taken over at once, because only one process of a job is told to write.
public record WriterClaim(Locking locking, Urgency urgency, Duration ttl, Listener listener, Clock clock, String job) {
    public static final Duration LONGEST_TTL = Duration.ofSeconds(15);

    public WriterClaim {
        if (ttl.toMillis() <= 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("a lease lasts at most 15 seconds: ttl=" + ttl);
        }
    }

    /// The means that keeps other writers out.
    public enum Locking {
        /// The operating system's lock for folders on a local file system, a lease everywhere else.
        AUTOMATIC,
        /// Always a lease, even if the file system looks local.
        LEASE
    }

    /// What to do while another process holds the lease.
    public enum Urgency {
        /// Wait until the lease is released or expires. Give up if its holder keeps renewing it.
        PATIENT,
        /// Take over the lease: its holder stops at its next commit.
        AT_ONCE
    }

    /// Receives events about acquiring a lease, on the waiting thread.
    public interface Listener {
        /// Called about twice a second.
        ///
        /// @param holder the holder, in words for people
        /// @param left the time until the lease expires, unless it is renewed
        void waiting(String holder, Duration left);

        /// Called if the previous holder did not release the lease.
        void takenOver(String holder);
    }

    /// The default: waits if necessary, and logs to `System.Logger`.
    public static WriterClaim usual() {
        return new WriterClaim(Locking.AUTOMATIC, Urgency.PATIENT, LONGEST_TTL, new Logging(), Clock.system(), "");
    }

    /// With this kind of locking.
    public WriterClaim withLocking(Locking locking) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    /// With this behaviour while another process holds the lease.
    public WriterClaim withUrgency(Urgency urgency) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    /// With this lifetime of a lease that is not renewed.
    public WriterClaim withTtl(Duration ttl) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    /// With this listener for waiting and takeovers.
    public WriterClaim withListener(Listener listener) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    /// With this clock to measure the wait.
    public WriterClaim withClock(Clock clock) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    /// As a process of this job.
    public WriterClaim withJob(String job) {
        return new WriterClaim(locking, urgency, ttl, listener, clock, job);
    }

    private static final class Logging implements Listener {
        private static final Logger LOG = System.getLogger("dev.cairn.store");

        @Override
        public void waiting(String holder, Duration left) {
            LOG.log(Level.DEBUG, "waiting for a lease holder=" + holder + " leftSeconds=" + left.toSeconds());
        }

        @Override
        public void takenOver(String holder) {
            LOG.log(Level.WARNING, "run taken over from=" + holder);
        }
    }
}
