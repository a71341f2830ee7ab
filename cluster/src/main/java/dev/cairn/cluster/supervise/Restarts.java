package dev.cairn.cluster.supervise;

import java.time.Duration;

/// How often members die without any progress in between, and what follows: the next one starts later and later, and
/// after too many the job ends. Something that kills every process at the same step is not healed by another process.
/// Processes that die before they are ready, while others train, are started later and later too.
final class Restarts {
    /// The number of deaths at one step that end a job.
    static final int MOST = 6;

    private static final int AT_ONCE = 2;
    private static final Duration SHORTEST = Duration.ofMillis(500);

    /// In place of a generation, for a process that was not part of the team.
    static final long NONE = -1;

    private long step = -1;
    private long generation = NONE;
    private int deaths;
    private int unready;

    /// Notes that a member died when the team had finished this step. All that die in one generation of the team, such
    /// as on a host that runs out of memory, count as one.
    void died(long finishedStep, long itsGeneration) {
        if (finishedStep > step) {
            deaths = 1;
        } else if (itsGeneration == NONE || itsGeneration != generation) {
            deaths++;
        }
        generation = itsGeneration == NONE ? generation : itsGeneration;
        step = Math.max(step, finishedStep);
    }

    /// Notes that a process died before it was ready to train.
    void diedUnready() {
        unready++;
    }

    /// Notes that a process is ready to train.
    void ready() {
        unready = 0;
    }

    /// The step at which members died last.
    long step() {
        return step;
    }

    int deaths() {
        return deaths;
    }

    boolean areTooMany() {
        return deaths >= MOST;
    }

    /// How long to wait before the next start.
    Duration pause() {
        int late = Math.min(Math.max(deaths, unready), MOST + 1) - AT_ONCE;
        return late <= 0 ? Duration.ZERO : SHORTEST.multipliedBy(1L << (late - 1));
    }
}
