package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Failure.Cause;
import dev.cairn.cluster.control.Failure.Source;
import java.util.ArrayList;
import java.util.List;

/// The deaths of workers in the order in which they were noticed.
final class Failures {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Death> open = new ArrayList<>();
    private final List<Failure> all = new ArrayList<>();

    /// A worker that is gone, and whose place is free.
    ///
    /// @param silentNanos how long before that it gave its last sign of life
    /// @param nanos when it was noticed
    record Death(int rank, Cause cause, long step, long silentNanos, long nanos) {}

    void died(Death death) {
        open.add(death);
    }

    /// Notes that the team is complete again, and returns after which deaths.
    ///
    /// @param step the step of the state that it continues from
    List<Failure> recovered(long step, Source source, long nanos) {
        List<Failure> now = open.stream()
                .map(death -> new Failure(
                        death.rank(),
                        death.cause(),
                        death.step(),
                        death.silentNanos() / NANOS_PER_SECOND,
                        (nanos - death.nanos()) / NANOS_PER_SECOND,
                        Math.max(0, death.step() - step),
                        source))
                .toList();
        open.clear();
        all.addAll(now);
        return now;
    }

    List<Failure> all() {
        return List.copyOf(all);
    }
}
