package dev.cairn.store.threads;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Runs work on several threads, including the caller's. The first error wins and is thrown; the other threads see
/// [#hasFailed] and stop. When [#run] returns or throws, no other thread is running: their memory belongs to the caller
/// again. For one run.
public final class Lanes {
    private final String threadName;
    private final String purpose;
    private final Runnable onFailure;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /// The work of one thread.
    public interface Work {
        /// Works until nothing is left or [Lanes#hasFailed].
        ///
        /// @param lane the number of the thread; 0 is the caller's
        void run(int lane) throws IOException, InterruptedException;
    }

    /// @param threadName the beginning of the names of the threads
    /// @param purpose what an interruption interrupts, such as "reading a checkpoint"
    public Lanes(String threadName, String purpose) {
        this(threadName, purpose, () -> {});
    }

    /// @param onFailure wakes threads that wait for each other, so that they see the failure
    public Lanes(String threadName, String purpose, Runnable onFailure) {
        this.threadName = threadName;
        this.purpose = purpose;
        this.onFailure = onFailure;
    }

    /// Whether a thread has failed, so that the others should stop.
    public boolean hasFailed() {
        return failure.get() != null;
    }

    /// Runs the work on this many threads.
    public void run(int count, Work work) throws IOException {
        run(count, _ -> true, work);
    }

    /// Runs the work on this many threads, or on the caller's thread alone if another one is not allowed.
    ///
    /// @param allowed whether a thread may do the work: it may lack access to confined memory
    public void run(int count, Predicate<Thread> allowed, Work work) throws IOException {
        var others = new ArrayList<Thread>();
        for (int lane = 1; lane < count; lane++) {
            int own = lane;
            others.add(Thread.ofPlatform()
                    .name(threadName + "-" + lane)
                    .daemon(true)
                    .unstarted(() -> runLane(own, work)));
        }
        if (others.stream().allMatch(allowed)) {
            others.forEach(Thread::start);
        } else {
            others.clear();
        }
        runLane(0, work);
        join(others);
        throwFailure();
    }

    private void runLane(int lane, Work work) {
        try {
            work.run(lane);
        } catch (Throwable e) { // Any error, even out of memory, must stop the others and reach the caller.
            fail(e);
        }
    }

    private void fail(Throwable e) {
        failure.compareAndSet(null, e);
        onFailure.run();
    }

    /// Waits for all threads, even if interrupted.
    private void join(List<Thread> threads) {
        boolean interrupted = failure.get() instanceof InterruptedException;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    fail(e);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void throwFailure() throws IOException {
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case InterruptedException e ->
                throw (IOException) new InterruptedIOException("interrupted while " + purpose).initCause(e);
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}
