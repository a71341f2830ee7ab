package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.app.text.Span;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.train.TrainingRequest;
import dev.cairn.train.TrainingSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options of `train` for several processes that train together.
final class WorkerOptions {
    private static final String SYNCHRONOUS = "ps-sync";
    private static final String ASYNCHRONOUS = "ps-async";
    private static final String SERVING_ENGINE = "tensorflow";
    private static final int MOST = 64;
    private static final Duration USUAL_SILENCE = Duration.ofSeconds(5);
    private static final Duration USUAL_SPARE_WAIT = Duration.ofSeconds(60);

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Train with N processes on this host. Each computes a share of every batch, and all add up "
                    + "their gradients (default: 1). mf needs --mode ps-sync or ps-async.")
    private int workers;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            completionCandidates = Choices.Modes.class,
            description = {
                "How the workers train together:",
                "single     one process",
                "allreduce  all have the state (default with --workers; engine torch)",
                "ps-sync    a parameter server has it (engine tensorflow); --batch is then that of each worker",
                "ps-async   as ps-sync, but each gradient makes an update of its own"
            })
    private @Nullable String mode;

    @Option(
            names = "--ps",
            paramLabel = "P",
            description = "With --mode ps-sync or ps-async: the number of parameter servers, over which the weights "
                    + "are spread (default: 1).")
    private @Nullable Integer servers;

    @Option(
            names = "--aggregate",
            paramLabel = "K",
            description = "With --mode ps-sync: an update averages the first K gradients that come, and drops those "
                    + "that come too late (default: all workers, which always ends in the same bits).")
    private @Nullable Integer aggregate;

    @Option(
            names = "--coordination",
            paramLabel = "HOW",
            completionCandidates = Choices.Coordinations.class,
            description = {
                "Whose checkpoints belong together (default: all):",
                "all   one checkpoint is that of all processes",
                "none  with --mode ps-async: each process saves on its own schedule, in a run of its own below DIR; "
                        + "after a failure all go back to the latest checkpoints that belong together"
            })
    private @Nullable String coordination;

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

    /// Takes as many workers as there are places for them, unless a larger number was asked for.
    ///
    /// @param source what says how many there are, for people
    void spread(CommandSpec command, int places, String source) {
        if (workers == 1) {
            workers = places;
        } else if (workers < places) {
            throw refused(
                    command,
                    "--workers %d is less than the %d of %s; leave --workers out".formatted(workers, places, source));
        }
    }

    /// Refuses what cannot be on several hosts.
    void checkHosts(CommandSpec command) {
        if (isServed()) {
            throw refused(
                    command,
                    "--mode %s works on one host only so far; use --mode allreduce, or start it on one host"
                            .formatted(mode));
        }
    }

    /// Whether a supervisor starts several processes.
    boolean isSeveral() {
        return workers > 1 || isServed();
    }

    /// Whether a parameter server has the state.
    boolean isServed() {
        return SYNCHRONOUS.equals(mode) || ASYNCHRONOUS.equals(mode);
    }

    /// Whether each process saves for itself.
    boolean isUncoordinated() {
        return "none".equals(coordination);
    }

    int workers() {
        return workers;
    }

    int servers() {
        return !isServed() ? 0 : servers == null ? 1 : servers;
    }

    /// The number of gradients that an update waits for; 0 if each makes an update of its own.
    int fresh() {
        return ASYNCHRONOUS.equals(mode) ? 0 : aggregate == null ? workers : aggregate;
    }

    /// The name of the engine.
    ///
    /// @param asked the one that was asked for
    String engine(@Nullable String asked) {
        return asked != null ? asked : isServed() ? SERVING_ENGINE : "torch";
    }

    TrainingRequest addTo(TrainingRequest request) {
        TrainingRequest whole = request.with("workers", workers);
        if (!isServed()) {
            return whole;
        }
        if (isUncoordinated()) {
            whole = whole.with("dataOrder", "shard"); // each knows its own place
        }
        return whole.with("mode", mode).with("aggregate", aggregate).with("engine", engine((String)
                request.asked().get("engine")));
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
        int all = workers + servers();
        int fewest = isServed() ? all : least == null ? 1 : least;
        return new TeamPlan(all, fewest, spares(), wait, folder, silence(), usualTime, servers());
    }

    /// Refuses what several processes cannot train.
    void check(CommandSpec command, String workload, @Nullable String engine, int rollback) {
        if (workers < 1 || workers > MOST) {
            throw refused(command, "--workers must be from 1 to %d, not %d".formatted(MOST, workers));
        }
        checkMode(command, engine);
        if (!isSeveral()) {
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
        if (workload.equals("mf") && (!isServed() || servers() > 1)) {
            throw refused(
                    command,
                    "mf can be trained by several workers only with one parameter server: --mode ps-sync or ps-async");
        }
        if (!isServed() && engine != null && !engine.equals("torch")) {
            throw refused(
                    command,
                    "--engine %s cannot train with several workers; use --engine torch or --mode ps-sync, or leave --workers out"
                            .formatted(engine));
        }
        if (rollback > 0 && !SYNCHRONOUS.equals(mode)) {
            throw refused(
                    command, "--on-divergence rollback does not work with several workers; leave one of the two out");
        }
    }

    private void checkMode(CommandSpec command, @Nullable String engine) {
        List<String> modes = TrainingSettings.Mode.labels();
        if (mode != null && !modes.contains(mode)) {
            throw refused(command, "--mode must be one of %s, not '%s'".formatted(String.join(", ", modes), mode));
        }
        if ("single".equals(mode) && workers > 1) {
            throw refused(command, "--mode single has one process; leave --workers out");
        }
        if (coordination != null && !Choices.COORDINATIONS.contains(coordination)) {
            throw refused(
                    command,
                    "--coordination must be one of %s, not '%s'"
                            .formatted(String.join(", ", Choices.COORDINATIONS), coordination));
        }
        if (!isServed()) {
            if (isUncoordinated()) {
                throw refused(command, "--coordination none is for --mode ps-async with one server");
            }
            if (servers != null) {
                throw refused(command, "--ps is for --mode ps-sync and ps-async");
            }
            if (aggregate != null) {
                throw refused(command, "--aggregate is for --mode ps-sync");
            }
            return;
        }
        if (engine != null && !engine.equals(SERVING_ENGINE)) {
            throw refused(command, "--engine %s has no parameter server; use --engine tensorflow".formatted(engine));
        }
        if (servers() < 1 || servers() > MOST) {
            throw refused(command, "--ps must be from 1 to %d, not %d".formatted(MOST, servers()));
        }
        if (isUncoordinated() && (!ASYNCHRONOUS.equals(mode) || servers() != 1)) {
            throw refused(command, "--coordination none is for --mode ps-async with one server");
        }
        if (aggregate != null && ASYNCHRONOUS.equals(mode)) {
            throw refused(command, "--aggregate is for --mode ps-sync");
        }
        if (aggregate != null && (aggregate < 1 || aggregate > workers)) {
            throw refused(command, "--aggregate must be from 1 to --workers %d, not %d".formatted(workers, aggregate));
        }
        if (least != null) {
            throw refused(
                    command, "--min-workers is for --mode allreduce; with a parameter server, all are waited for");
        }
    }

    private static ParameterException refused(CommandSpec command, String why) {
        return new ParameterException(command.commandLine(), why);
    }
}
