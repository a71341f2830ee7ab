package dev.cairn.cluster.supervise;

import java.nio.file.Path;
import java.time.Duration;

/// What a supervisor starts, and how long it waits.
///
/// @param workers the number of processes that train, with the parameter servers
/// @param leastWorkers the smallest number with which the training goes on
/// @param spares the number of processes that wait to replace one of them
/// @param spareWait how long a team waits for the next spare before it goes on with fewer workers
/// @param folder an empty folder of the job's own
/// @param silence how long a process may give no sign of life
/// @param usualTime how long the last save may take after a notice that does not say
/// @param servers how many of the processes are parameter servers; they have the first ranks
public record TeamPlan(
        int workers,
        int leastWorkers,
        int spares,
        Duration spareWait,
        Path folder,
        Duration silence,
        Duration usualTime,
        int servers) {
    public TeamPlan {
        if (servers < 0 || servers >= workers || leastWorkers < 1 || leastWorkers > workers || spares < 0) {
            throw new IllegalArgumentException(
                    "not a team: workers=%d leastWorkers=%d spares=%d".formatted(workers, leastWorkers, spares));
        }
    }

    /// Without parameter servers.
    public TeamPlan(
            int workers,
            int leastWorkers,
            int spares,
            Duration spareWait,
            Path folder,
            Duration silence,
            Duration usualTime) {
        this(workers, leastWorkers, spares, spareWait, folder, silence, usualTime, 0);
    }

    /// The name of the process of this rank: `w0` for the first worker, `ps0` for the first parameter server.
    public String name(int rank) {
        return (rank < servers ? "ps" : "w") + rankInRole(rank);
    }

    /// The role of the process of this rank: `worker` or `ps`.
    public String role(int rank) {
        return rank < servers ? "ps" : "worker";
    }

    /// The place among the processes of the same role.
    public int rankInRole(int rank) {
        return rank < servers ? rank : rank - servers;
    }
}
