package dev.cairn.app.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Seconds;
import dev.cairn.app.text.Svg;
import dev.cairn.app.text.Table;
import dev.cairn.checkpoint.save.SaveHistory;
import dev.cairn.plan.time.Alternative;
import dev.cairn.plan.time.CompletionTime;
import dev.cairn.plan.time.FailureLaw;
import dev.cairn.plan.time.Job;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `cairn plan`.
@Command(
        name = "plan",
        description =
                "Computes how long a run will take, how often it should be saved, and what other intervals would cost.",
        footer = {
            "",
            "With a mean time between failures, it computes the expected time exactly and",
            "finds the best interval. Without one, it computes the worst case of a number",
            "of failures. Write times as 250ms, 90s, 5m, 1.5h or 1d12h. Examples:",
            "  cairn plan --work 30d --overhead 40s --node-mtbf 90d --nodes 128",
            "  cairn plan --work 300m --failures 1 --overhead 1m",
            "  cairn plan --work 5h --every 1h --overhead 1m --latency 2m --fail-after 30m",
        })
public final class PlanCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            required = true,
            converter = Seconds.class,
            description = "How long the run takes without saves and failures, such as 5h or 30d.")
    private double work;

    @Option(
            names = "--overhead",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "How long one save blocks the run; required without --from.")
    private @Nullable Double overhead;

    @Option(
            names = "--from",
            paramLabel = "RUN",
            description = "Take the overhead, the latency and the mean time between failures from the history of this "
                    + "run, unless they are given.")
    private @Nullable RunLocation from;

    @Mixin
    private StorageOptions storage;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Time from the start of a save until it can be restored (default: the overhead).")
    private @Nullable Double latency;

    @Option(
            names = "--restart",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Time from a restart until the run continues its work (default: 0s).")
    private double restart;

    @Option(
            names = "--detect",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Time from a failure until the restart (default: 0s).")
    private double detect;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Time of work between two saves (default: the best interval).")
    private @Nullable Double every;

    @Option(names = "--count", paramLabel = "N", description = "Number of saves, instead of --every.")
    private @Nullable Long count;

    @Option(
            names = "--fail-after",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Compute the time with one failure, this long after the last save.")
    private @Nullable Double failAfter;

    @Option(names = "--failures", paramLabel = "K", description = "Number of failures in the worst case (default: 1).")
    private @Nullable Long askedFailures;

    @Option(
            names = "--mtbf",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Mean time between failures of the whole run.")
    private @Nullable Double mtbf;

    @Option(
            names = "--node-mtbf",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "Mean time between failures of one node. Divided by --nodes, it is that of the whole run.")
    private @Nullable Double nodeMtbf;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Number of nodes; the run stops when one of them fails (default: 1).")
    private @Nullable Long nodes;

    @Option(
            names = "--weibull",
            paramLabel = "SHAPE",
            description =
                    "Shape of the Weibull distribution of failures, such as 0.7 (default: 1, which is exponential).")
    private @Nullable Double weibull;

    @Option(
            names = "--budget",
            paramLabel = "SHARE",
            defaultValue = "0.035",
            description =
                    "Share of the work that saves may take, for the rule 'budget' (default: ${DEFAULT-VALUE}, as in CheckFreq).")
    private double budget;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draw the expected time over the interval into this file.")
    private @Nullable Path svg;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    PlanCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            if (from != null) {
                takeFrom(from);
            }
            if (overhead == null) {
                throw new IllegalArgumentException(
                        "the cost of a save is unknown; give --overhead, or a run with --from");
            }
            checkOptions();
            Job job = new Job(work, overhead, latency == null ? overhead : latency, restart, detect);
            FailureLaw law = law();
            List<Alternative> alternatives = law == null ? List.of() : alternatives(job, law);
            CompletionTime chosen = chosen(job, alternatives);
            if (svg != null && law != null) {
                Svg.write(svg, new PlanCurve(job, law, alternatives).svg());
            } else if (svg != null) {
                throw new IllegalArgumentException("--svg draws the expected time, which needs --mtbf or --node-mtbf");
            }
            var report = new PlanReport(job, law, alternatives, chosen, best(job, alternatives), failures(), failAfter);
            print(report);
            return ExitCode.DONE;
        } catch (IllegalArgumentException impossible) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(impossible.getMessage()));
        }
    }

    /// Refuses options that contradict each other or are out of range.
    private void checkOptions() {
        if (overhead != null && overhead == 0 && (latency == null || latency == 0)) {
            throw new IllegalArgumentException(
                    "a save that takes no time may be made after every step; give --overhead or --latency more than 0s");
        }
        if (nodes != null && nodes < 1) {
            throw new IllegalArgumentException("--nodes must be at least 1, not " + nodes);
        }
        if (nodes != null && nodeMtbf == null) {
            throw new IllegalArgumentException("--nodes needs --node-mtbf; --mtbf is already that of the whole run");
        }
        boolean random = mtbf != null || nodeMtbf != null;
        if (random && (failAfter != null || askedFailures != null)) {
            throw new IllegalArgumentException(
                    "--fail-after and --failures are for known failures, --mtbf and --node-mtbf for random ones; give only one kind");
        }
        if (!(budget > 0 && budget < 1)) {
            throw new IllegalArgumentException("--budget must be between 0 and 1, not " + budget);
        }
        if (failAfter != null && every != null && overhead != null && failAfter > every + overhead) {
            throw new IllegalArgumentException(
                    "--fail-after is later than the next save: --every is " + Quantities.exactSeconds(every));
        }
    }

    /// Takes the values that are not given from the newest checkpoint that has measured the cost of a save.
    private void takeFrom(RunLocation run) throws IOException {
        SaveHistory history = Runs.open(spec, run, storage).currentEntries().reversed().stream()
                .flatMap(entry -> entry instanceof Entry.Intact(Commit checkpoint)
                        ? SaveHistory.read(checkpoint.attributes()).stream()
                        : Stream.empty())
                .filter(found -> Double.isFinite(found.decision().overhead()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s has not measured the cost of a save yet; let it save twice, or give --overhead"
                                .formatted(run)));
        if (overhead == null) {
            overhead = history.decision().overhead();
            latency = latency == null ? Double.valueOf(history.decision().latency()) : latency;
        }
        if (mtbf == null && nodeMtbf == null && failAfter == null && askedFailures == null) {
            mtbf = history.decision().meanTimeBetweenFailures();
        }
    }

    private @Nullable FailureLaw law() {
        if (mtbf != null && nodeMtbf != null) {
            throw new IllegalArgumentException("--mtbf and --node-mtbf mean the same; give only one of them");
        }
        long count = nodes == null ? 1 : nodes;
        Double mean = mtbf != null ? mtbf : nodeMtbf != null ? Double.valueOf(nodeMtbf / count) : null;
        if (mean == null) {
            if (weibull != null) {
                throw new IllegalArgumentException("--weibull needs --mtbf or --node-mtbf");
            }
            return null;
        }
        return weibull == null ? new FailureLaw.Exponential(mean) : new FailureLaw.Weibull(mean, weibull);
    }

    private List<Alternative> alternatives(Job job, FailureLaw law) {
        var all = new ArrayList<>(Alternative.all(job, law, budget));
        if (every != null || count != null) {
            all.add(Alternative.of("yours", asked(job).interval(), job, law));
        }
        return all;
    }

    private long failures() {
        return askedFailures == null ? 1 : askedFailures;
    }

    private CompletionTime asked(Job job) {
        if (every != null && count != null) {
            throw new IllegalArgumentException("--every and --count mean the same; give only one of them");
        }
        return every != null ? CompletionTime.every(job, every) : new CompletionTime(job, count == null ? 0 : count);
    }

    private CompletionTime best(Job job, List<Alternative> alternatives) {
        long failures = failures();
        if (failures < 0) {
            throw new IllegalArgumentException("--failures must be at least 0, not " + failures);
        }
        return alternatives.isEmpty()
                ? CompletionTime.best(job, failures)
                : CompletionTime.every(job, alternatives.getFirst().interval());
    }

    private CompletionTime chosen(Job job, List<Alternative> alternatives) {
        return every != null || count != null ? asked(job) : best(job, alternatives);
    }

    private void print(PlanReport report) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.json) {
            ObjectNode document = report.json();
            Json.print(out, document);
        } else {
            report.print(out, Table.width());
        }
    }
}
