package dev.cairn.testkit;

import java.time.Duration;
import java.util.Optional;

/// Waits for a condition, at most a few minutes. If it is not met, the test fails with a message that names it.
/// The limit is long enough for a machine with ten times its usual load.
public final class Eventually {
    static final Duration BOUND = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 1;

    private Eventually() {}

    /// A condition.
    public interface Condition {
        /// Called repeatedly, until it returns true.
        boolean holds() throws Exception;
    }

    /// An attempt to find something.
    ///
    /// @param <T> the type of the result
    public interface Attempt<T> {
        /// Called repeatedly, until the result is not empty.
        Optional<T> get() throws Exception;
    }

    /// Returns when the condition is met.
    ///
    /// @param what the condition, for the message of a failure
    public static void holds(String what, Condition condition) {
        get(what, () -> condition.holds() ? Optional.of(what) : Optional.empty());
    }

    /// Returns the first result of the attempt. Its exceptions end the wait.
    ///
    /// @param what the expected result, for the message of a failure
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
