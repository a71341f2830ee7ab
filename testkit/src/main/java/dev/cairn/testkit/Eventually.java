package dev.cairn.testkit;

import java.time.Duration;
import java.util.Optional;

/// Waits until something holds, and no longer than a few minutes: a test that waits for what never comes fails and says
/// for what. The bound is generous, so that a machine with ten times its load still passes.
public final class Eventually {
    static final Duration BOUND = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 1;

    private Eventually() {}

    /// Whether it holds now.
    public interface Condition {
        /// Asked again and again.
        boolean holds() throws Exception;
    }

    /// What is there now.
    ///
    /// @param <T> what comes of it
    public interface Attempt<T> {
        /// Asked again and again; empty where it is not there yet.
        Optional<T> get() throws Exception;
    }

    /// Returns when the condition holds.
    ///
    /// @param what is awaited, for the failure's message
    public static void holds(String what, Condition condition) {
        get(what, () -> condition.holds() ? Optional.of(what) : Optional.empty());
    }

    /// Returns what the attempt finds, when it finds something. Its exceptions end the wait.
    ///
    /// @param what is awaited, for the failure's message
    public static <T> T get(String what, Attempt<T> attempt) {
        long start = System.nanoTime();
        try {
            while (true) {
                Optional<T> found = attempt.get();
                if (found.isPresent()) {
                    return found.get();
                }
                if (System.nanoTime() - start > BOUND.toNanos()) {
                    throw new AssertionError("not within %s: %s".formatted(BOUND, what));
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting: " + what, e);
        } catch (Exception e) {
            throw new AssertionError("while waiting: " + what, e);
        }
    }
}
