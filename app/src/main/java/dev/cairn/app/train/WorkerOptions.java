package dev.cairn.app.train;

import dev.cairn.app.text.Span;
import dev.cairn.cluster.supervise.TeamPlan;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` for several processes that train together.
final class WorkerOptions {
    private static final int MOST = 64;
    private static final Duration USUAL_SILENCE = Duration.ofSeconds(5);
    private static final Duration USUAL_SPARE_WAIT = Duration.ofSeconds(60);

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Train with N processes on this host. Each computes a share of every batch, and all add up "
                    + "their gradients (default: 1). For lr, lenet and alexnet with the engine torch.")
    private int workers;

    @Option(
            names = "--spares",
            paramLabel = "K",
            description = "With --workers: keep K more processes ready to replace a worker that dies (default: 1).")
    private @Nullable Integer spares;

    @Option(
            names = "--min-workers",
            paramLabel = "M",
            description = "With --workers: if nobody can replace a dead worker, go on with fewer, but at least M "
                    + "(default: 1). With M = N, the team waits instead, and always ends in the same bits.")
    private @Nullable Integer least;

    @Option(
            names = "--spare-wait",
            paramLabel = "60s",
            converter = Span.class,
            description = "With --workers: wait this long for the next spare process before going on with fewer "
                    + "workers (default: 60s). With --spares 0 the team goes on at once.")
    private @Nullable Duration spareWait;

    @Option(
            names = "--silence",
            paramLabel = "5s",
            converter = Span.class,
            description = "With --workers: end and replace a worker that gives no sign of life for this long (default: "
                    + "5s).")
    private @Nullable Duration silence;

    int workers() {
        return workers;
    }

    private int spares() {
        return spares == null ? 1 : spares;
    }

    private Duration silence() {
        return silence == null ? USUAL_SILENCE : silence;
    }

    /// @param folder an empty folder of the job's own
    /// @param usualTime how long the last save may take after a notice that does not say
    TeamPlan plan(Path folder, Duration usualTime) {
        Duration wait = spareWait == null ? USUAL_SPARE_WAIT : spareWait;
        return new TeamPlan(workers, least == null ? 1 : least, spares(), wait, folder, silence(), usualTime);
    }

    /// Refuses what several processes cannot train.
    void check(CommandSpec command, String workload, @Nullable String engine, int rollback) {
        if (workers < 1 || workers > MOST) {
            throw refused(command, "--workers must be from 1 to %d, not %d".formatted(MOST, workers));
        }
        if (workers == 1) {
            if (spares != null) {
                throw refused(command, "--spares is for several workers; also give --workers");
            }
            if (silence != null) {
                throw refused(command, "--silence is for several workers; also give --workers");
            }
            if (least != null) {
                throw refused(command, "--min-workers is for several workers; also give --workers");
            }
            if (spareWait != null) {
                throw refused(command, "--spare-wait is for several workers; also give --workers");
            }
            return;
        }
        if (least != null && (least < 1 || least > workers)) {
            throw refused(command, "--min-workers must be from 1 to --workers %d, not %d".formatted(workers, least));
        }
        if (spares() < 0 || spares() > MOST) {
            throw refused(command, "--spares must be from 0 to %d, not %d".formatted(MOST, spares()));
        }
        if (silence().compareTo(Duration.ofSeconds(1)) < 0) {
            throw refused(command, "--silence must be at least 1s");
        }
        if (workload.equals("mf")) {
            throw refused(command, "mf cannot be trained by several workers; leave --workers out");
        }
        if (engine != null && !engine.equals("torch")) {
            throw refused(
                    command,
                    "--engine %s cannot train with several workers; use --engine torch, or leave --workers out"
                            .formatted(engine));
        }
        if (rollback > 0) {
            throw refused(
                    command, "--on-divergence rollback does not work with several workers; leave one of the two out");
        }
    }

    private static ParameterException refused(CommandSpec command, String why) {
        return new ParameterException(command.commandLine(), why);
    }
}
