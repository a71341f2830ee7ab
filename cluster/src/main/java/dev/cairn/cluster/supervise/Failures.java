package dev.cairn.cluster.supervise;

import dev.cairn.cluster.supervise.Failure.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The deaths of workers in the order in which they were noticed.
final class Failures {
    private final List<Death> open = new ArrayList<>();
    private final List<Failure> all = new ArrayList<>();

    private record Death(int rank, long step, long nanos) {}

    void died(int rank, long step, long nanos) {
        open.add(new Death(rank, step, nanos));
    }

    /// Notes that the team is complete again.
    ///
    /// @param step the step of the state that it continues from
    void recovered(long step, Source source, long nanos) {
        for (Death death : open) {
            all.add(new Failure(
                    death.rank(),
                    death.step(),
                    Duration.ofNanos(nanos - death.nanos()),
                    Math.max(0, death.step() - step),
                    source));
        }
        open.clear();
    }

    List<Failure> all() {
        return List.copyOf(all);
    }
}
