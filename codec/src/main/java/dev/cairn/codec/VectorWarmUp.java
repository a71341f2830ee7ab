package dev.cairn.codec;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Makes the JVM compile the vector code of loops before there is work for it. One thread for the whole process runs
/// each loop on a small block until the vector code is faster than its scalar twin. It ends after the last loop.
public final class VectorWarmUp {
    private static final Logger LOG = System.getLogger("dev.cairn.codec");

    /// The time limit for each loop. On a free processor, a second or less is enough.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// The fastest of this many calls counts, because other processes may take the processor away at any time.
    private static final int CALLS = 8;

    /// The number of consecutive rounds that the vector code must win.
    private static final int WINS = 3;

    /// The maximum time of a block of 4 kB in code of the optimizing compiler. Code of the first compiler takes several
    /// times as long, but still beats a twin that is not compiled yet.
    private static final long COMPILED_NANOS = 10_000;

    private static final Queue<VectorLoop> WAITING = new ArrayDeque<>();
    private static @Nullable Thread thread;

    private VectorWarmUp() {}

    /// Warms up the cold loops among these, in order, on a separate thread. Returns immediately.
    public static void begin(Collection<VectorLoop> loops) {
        synchronized (WAITING) {
            for (VectorLoop loop : loops) {
                if (loop.needsWarmUp()) {
                    loop.asked();
                    WAITING.add(loop);
                }
            }
            if (thread == null && !WAITING.isEmpty()) {
                thread = Thread.ofPlatform().name("cairn-warm-up").daemon(true).start(VectorWarmUp::run);
            }
        }
    }

    /// Stops the warm-up, if there is one, within milliseconds. Loops with enough work start it again.
    public static void stop() {
        synchronized (WAITING) {
            WAITING.forEach(VectorLoop::left);
            WAITING.clear();
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /// Waits until no warm-up is running. For measurements.
    ///
    /// @return false if it took longer than the given time
    public static boolean await(Duration patience) throws InterruptedException {
        Thread running;
        synchronized (WAITING) {
            running = thread;
        }
        return running == null || running.join(patience);
    }

    private static void run() {
        for (VectorLoop loop = next(); loop != null; loop = next()) {
            try {
                warmUp(loop);
            } catch (RuntimeException | LinkageError e) { // the twin gives the same bits, more slowly
                loop.absent();
                LOG.log(Level.WARNING, "vector code of '" + loop + "' cannot be used; using its scalar twin", e);
            }
        }
    }

    private static @Nullable VectorLoop next() {
        synchronized (WAITING) {
            VectorLoop next = WAITING.poll();
            if (next == null) {
                thread = null;
            }
            return next;
        }
    }

    private static void warmUp(VectorLoop loop) {
        if (!loop.isSupported()) {
            loop.absent();
            return;
        }
        VectorLoop.Trial trial = loop.trial();
        long start = System.nanoTime();
        long vector = 0;
        for (int wins = 0; wins < WINS; ) {
            if (Thread.interrupted()) {
                loop.left();
                return;
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                loop.failed();
                return;
            }
            vector = fastest(trial.vector());
            wins = vector < Math.min(fastest(trial.scalar()), COMPILED_NANOS) ? wins + 1 : 0;
        }
        loop.hot();
        LOG.log(
                Level.DEBUG,
                "vector code of ''{0}'' was compiled after {1} ms: {2} ns per block",
                loop,
                (System.nanoTime() - start) / 1_000_000,
                vector);
    }

    private static long fastest(Runnable code) {
        long best = Long.MAX_VALUE;
        for (int call = 0; call < CALLS; call++) {
            long start = System.nanoTime();
            code.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return best;
    }
}
