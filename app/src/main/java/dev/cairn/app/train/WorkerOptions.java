package dev.cairn.app.train;

import dev.cairn.app.text.Span;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` for several processes that train together.
final class WorkerOptions {
    private static final int MOST = 64;
    private static final Duration USUAL_SILENCE = Duration.ofSeconds(5);

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
            names = "--silence",
            paramLabel = "5s",
            converter = Span.class,
            description = "With --workers: end and replace a worker that gives no sign of life for this long (default: "
                    + "5s).")
    private @Nullable Duration silence;

    int workers() {
        return workers;
    }

    int spares() {
        return spares == null ? 1 : spares;
    }

    Duration silence() {
        return silence == null ? USUAL_SILENCE : silence;
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
            return;
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
