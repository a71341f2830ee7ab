package dev.cairn.cluster.supervise;

import java.nio.file.Path;
import java.time.Duration;

/// What a supervisor starts, and how long it waits.
///
/// @param workers the number of processes that train
/// @param leastWorkers the smallest number with which the training goes on
/// @param spares the number of processes that wait to replace one of them
/// @param spareWait how long a team waits for the next spare before it goes on with fewer workers
/// @param folder an empty folder of the job's own
/// @param silence how long a process may give no sign of life
/// @param usualTime how long the last save may take after a notice that does not say
public record TeamPlan(
        int workers,
        int leastWorkers,
        int spares,
        Duration spareWait,
        Path folder,
        Duration silence,
        Duration usualTime) {
    public TeamPlan {
        if (leastWorkers < 1 || leastWorkers > workers || spares < 0) {
            throw new IllegalArgumentException(
                    "not a team: workers=%d leastWorkers=%d spares=%d".formatted(workers, leastWorkers, spares));
        }
    }
}
