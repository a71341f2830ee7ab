package dev.cairn.store.right;

import dev.cairn.store.Clock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/// How somebody goes about getting the right to write into a run. Start from [#usual] and change what differs.
///
/// @param ttl how long a lease outlives its holder; at most 15 seconds
/// @param listener hears of waiting for a lease
/// @param clock what waiting is measured by
public record WriterClaim(Locking locking, Urgency urgency, Duration ttl, Listener listener, Clock clock) {
    public static final Duration LONGEST_TTL = Duration.ofSeconds(15);

    public WriterClaim {
        if (ttl.toMillis() <= 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("a lease runs for at most 15 seconds: ttl=" + ttl);
        }
    }

    /// What keeps others out.
    public enum Locking {
        /// The operating system's lock in folders of a local file system, a lease everywhere else.
        AUTOMATIC,
        /// A lease, also where the file system looks like a local one.
        LEASE
    }

    /// What to do while somebody holds the lease.
    public enum Urgency {
        /// Wait until it is given back or has run out; give up where its holder goes on renewing it.
        PATIENT,
        /// Take it over: its holder stops at its next commit.
        AT_ONCE
    }

    /// Hears, on the waiting thread, how a lease is come by.
    public interface Listener {
        /// Told about twice a second.
        ///
        /// @param holder for people
        /// @param left until the lease has run out, unless it is renewed
        void waiting(String holder, Duration left);

        /// The one before did not give the lease back.
        void takenOver(String holder);
    }

    /// Waits where it must, and tells `System.Logger`.
    public static WriterClaim usual() {
        return new WriterClaim(Locking.AUTOMATIC, Urgency.PATIENT, LONGEST_TTL, new Logging(), Clock.system());
    }

    /// By which means.
    public WriterClaim withLocking(Locking locking) {
        return new WriterClaim(locking, urgency, ttl, listener, clock);
    }

    /// Whether to wait for a lease that somebody holds.
    public WriterClaim withUrgency(Urgency urgency) {
        return new WriterClaim(locking, urgency, ttl, listener, clock);
    }

    /// How long a lease lasts that is not renewed.
    public WriterClaim withTtl(Duration ttl) {
        return new WriterClaim(locking, urgency, ttl, listener, clock);
    }

    /// Who is told of waiting and of takeovers.
    public WriterClaim withListener(Listener listener) {
        return new WriterClaim(locking, urgency, ttl, listener, clock);
    }

    /// The clock to wait by.
    public WriterClaim withClock(Clock clock) {
        return new WriterClaim(locking, urgency, ttl, listener, clock);
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
