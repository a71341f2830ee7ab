package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// Finds a worker that is slower than the others again and again. In a step all wait for the slowest one, so it is the
/// one that waits least. It is named once, and again if it was as fast as the others meanwhile.
final class Stragglers {
    /// Several signs of life of each worker.
    static final Duration WINDOW = Duration.ofSeconds(5);

    /// What the workers last told may be of another step, so one step more or less must not matter.
    private static final long LEAST_STEPS = 5;

    /// How often in a row a worker must be the slowest.
    static final int WINDOWS = 3;

    /// How much longer than the others it must take for its share.
    private static final double FACTOR = 1.5;

    /// So that nothing is infinitely slower than another one.
    private static final double LEAST_SECONDS = 1e-6;

    /// The part of the time that the others must lose by it.
    private static final double LEAST_LOSS = 0.1;

    /// Below this share of the processor time that the others have in a busy second, it gets too little.
    private static final double STARVED = 0.75;

    private final Map<Integer, Use> before = new HashMap<>();
    private long windowNanos;
    private int slowest = -1;
    private int inARow;

    /// What a worker has used since its process started.
    ///
    /// @param number the number of the member
    record Use(int number, int rank, Tally tally, double processorSeconds) {}

    /// What a worker used for a step, in the mean of a window.
    private record Share(int rank, double all, double busy, double data, double save, double processor) {
        static Share of(int rank, Tally done, double processorSeconds) {
            double steps = done.steps();
            return new Share(
                    rank,
                    done.teamSeconds() / steps,
                    (done.teamSeconds() - done.waitSeconds()) / steps,
                    done.dataSeconds() / steps,
                    done.saveSeconds() / steps,
                    processorSeconds / steps);
        }
    }

    boolean isDue(long nanos) {
        return nanos - windowNanos >= WINDOW.toNanos();
    }

    /// Looks at the window that ends now.
    ///
    /// @param workers those of the present group
    /// @return a line for people, if there is somebody to name now
    Optional<String> look(List<Use> workers, long nanos) {
        var shares = new ArrayList<Share>();
        for (Use now : workers) {
            Use earlier = before.get(now.number());
            if (earlier != null && earlier.rank() == now.rank()) {
                Tally done = now.tally().since(earlier.tally());
                if (done.steps() < LEAST_STEPS) {
                    return Optional.empty(); // the window goes on
                }
                shares.add(Share.of(now.rank(), done, now.processorSeconds() - earlier.processorSeconds()));
            }
        }
        windowNanos = nanos;
        before.clear();
        workers.forEach(now -> before.put(now.number(), now));
        return shares.size() < 2 || shares.size() < workers.size() ? nobody() : name(shares);
    }

    private Optional<String> nobody() {
        slowest = -1;
        inARow = 0;
        return Optional.empty();
    }

    private Optional<String> name(List<Share> shares) {
        OptionalInt place = IntStream.range(0, shares.size())
                .reduce((one, other) ->
                        shares.get(one).busy() >= shares.get(other).busy() ? one : other);
        Share slow = shares.get(place.orElseThrow());
        List<Share> others =
                shares.stream().filter(share -> share.rank() != slow.rank()).toList();
        double usual = mean(others.stream().mapToDouble(Share::busy).toArray());
        if (slow.busy() < FACTOR * usual || slow.busy() - usual < LEAST_LOSS * slow.all()) {
            return nobody();
        }
        inARow = slow.rank() == slowest ? inARow + 1 : 1;
        slowest = slow.rank();
        if (inARow != WINDOWS) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "w%d is slower than the others: its share takes %.1f times as long, and the others wait; it waits for %s",
                slow.rank(),
                slow.busy() / Math.max(usual, LEAST_SECONDS),
                what(slow, others, slow.busy() - usual)));
    }

    private static String what(Share slow, List<Share> others, double excess) {
        double data =
                slow.data() - mean(others.stream().mapToDouble(Share::data).toArray());
        double save =
                slow.save() - mean(others.stream().mapToDouble(Share::save).toArray());
        double usual = mean(others.stream()
                .mapToDouble(share -> share.processor() / share.busy())
                .toArray());
        if (data > excess / 2) {
            return "its data";
        }
        if (save > excess / 2) {
            return "its disk: the saves that it makes";
        }
        if (slow.processor() / slow.busy() < STARVED * usual) {
            return "its processor, of which it gets less than the others";
        }
        return "its processor, which takes longer for the same work";
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
