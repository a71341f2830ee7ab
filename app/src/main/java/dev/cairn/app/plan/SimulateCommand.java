package dev.cairn.app.plan;

import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.ByteCount;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.app.text.Seconds;
import dev.cairn.app.text.Table;
import dev.cairn.app.text.UnknownNames;
import dev.cairn.plan.simulation.Simulation;
import dev.cairn.plan.simulation.Simulation.Result;
import dev.cairn.plan.simulation.Simulation.Setting;
import dev.cairn.plan.time.FailureLaw;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `cairn simulate`.
@Command(
        name = "simulate",
        description =
                "Simulates a run on many nodes many times, and shows what share of the time each policy leaves for useful work.",
        footer = {
            "",
            "Policies:",
            "  none   never saves",
            "  fixed  saves at the interval of --every",
            "  young  uses Young's formula with the true mean time between failures",
            "  daly   uses Daly's formula with the true mean time between failures",
            "  auto   finds the interval by itself, as 'train --every auto' does",
            "",
            "A run is given up after three times its work. The same seed gives the same",
            "figures. Write times as 250ms, 90s, 5m, 1.5h or 1d12h, sizes as 500K, 50M or 1G.",
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final int MOST_RUNS = 100_000;
    private static final int MOST_NODES = 1_000_000;
    private static final double MOST_FAILURES = 1e8;

    /// The stored size of a save, relative to the state. The last two are about what 'cairn bench' measures for a
    /// small network with Adam: the rows lossless.k10, and store.factor, bases included.
    private enum Coding {
        FULL(1),
        LOSSLESS(0.6),
        LC(1 / 23.0);

        private final double ratio;

        Coding(double ratio) {
            this.ratio = ratio;
        }
    }

    /// The storage to which saves go.
    private enum Tiers {
        SHARED,
        LOCAL
    }

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--work",
            paramLabel = "TIME",
            defaultValue = "30d",
            converter = Seconds.class,
            description = "How long the run takes without saves and failures (default: ${DEFAULT-VALUE}).")
    private double work;

    @Option(
            names = "--node-mtbf",
            paramLabel = "TIME",
            defaultValue = "1825d",
            converter = Seconds.class,
            description = "Mean time between failures of one node (default: ${DEFAULT-VALUE}).")
    private double nodeMtbf;

    @Option(
            names = "--weibull",
            paramLabel = "SHAPE",
            description =
                    "Shape of the Weibull distribution of failures, such as 0.7 (default: 1, which is exponential).")
    private @Nullable Double weibull;

    @Option(
            names = "--failure-times",
            paramLabel = "FILE",
            description = "Use recorded failures of the whole run: a file with seconds since its start, one per line.")
    private @Nullable Path failureTimes;

    @Option(
            names = "--node-lost",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description =
                    "Share of failures that destroy a node's disk, not only a process (default: ${DEFAULT-VALUE}).")
    private double nodeLost;

    @Option(
            names = "--correlated",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of failures that hit a whole group of nodes (default: ${DEFAULT-VALUE}).")
    private double correlated;

    @Option(
            names = "--group",
            paramLabel = "N",
            defaultValue = "16",
            description = "Number of nodes in a group (default: ${DEFAULT-VALUE}).")
    private int group;

    @Option(
            names = "--step",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Seconds.class,
            description = "Duration of one training step (default: ${DEFAULT-VALUE}).")
    private double step;

    @Option(
            names = "--restart",
            paramLabel = "TIME",
            defaultValue = "3m",
            converter = Seconds.class,
            description = "Time from a restart until the run continues its work (default: ${DEFAULT-VALUE}).")
    private double restart;

    @Option(
            names = "--detect",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = Seconds.class,
            description = "Time from a failure until the restart (default: ${DEFAULT-VALUE}).")
    private double detect;

    @Option(
            names = "--overhead",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = Seconds.class,
            description = "How long a save blocks the run (default: ${DEFAULT-VALUE}).")
    private double overhead;

    @Option(
            names = "--state",
            paramLabel = "SIZE",
            defaultValue = "8GB",
            converter = ByteCount.class,
            description = "Size of the state of one node (default: ${DEFAULT-VALUE}).")
    private long state;

    @Option(
            names = "--codec",
            paramLabel = "full|lossless|lc",
            defaultValue = "lossless",
            description =
                    "Size of a save relative to the state: full 1, lossless 0.6, lc 1/23 (default: ${DEFAULT-VALUE}).")
    private Coding codec;

    @Option(
            names = "--bandwidth",
            paramLabel = "SIZE",
            defaultValue = "200GB",
            converter = ByteCount.class,
            description = "Bytes per second of the shared storage, for all nodes together (default: ${DEFAULT-VALUE}).")
    private long bandwidth;

    @Option(
            names = "--tiers",
            paramLabel = "shared|local",
            defaultValue = "shared",
            description =
                    "shared: saves go to shared storage; local: to the nodes' own disks, and from there to shared storage "
                            + "(default: ${DEFAULT-VALUE}).")
    private Tiers tiers;

    @Option(
            names = "--local-bandwidth",
            paramLabel = "SIZE",
            defaultValue = "2GB",
            converter = ByteCount.class,
            description = "Bytes per second of a node's own disk (default: ${DEFAULT-VALUE}).")
    private long localBandwidth;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = Seconds.class,
            description = "Interval of the policy 'fixed' (default: ${DEFAULT-VALUE}).")
    private double every;

    @Option(
            names = "--policies",
            paramLabel = "NAME,...",
            hideParamSyntax = true,
            split = ",",
            defaultValue = "none,fixed,young,daly,auto",
            description = "Policies to compare, separated by commas (default: all).")
    private List<String> policies;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "40",
            description = "Number of runs to simulate for each policy (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of all random numbers (default: ${DEFAULT-VALUE}).")
    private long seed;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    SimulateCommand() {}

    @Override
    public Integer call() throws IOException {
        try {
            checkOptions();
            Setting setting = setting();
            checkLength(setting);
            Terminal terminal = Terminal.of(spec.commandLine().getErr());
            var results = new ArrayList<Result>();
            for (String policy : policies) {
                terminal.progress(() -> "simulating " + policy);
                results.add(Simulation.run(setting, policy, every, runs, seed));
            }
            terminal.progressDone();
            PrintWriter out = spec.commandLine().getOut();
            var report = new SimulationReport(setting, runs, seed, results);
            if (common.json) {
                Json.print(out, report.json());
            } else {
                report.print(out, Table.width());
            }
            return ExitCode.DONE;
        } catch (IllegalArgumentException impossible) {
            throw new CommandLine.ParameterException(spec.commandLine(), String.valueOf(impossible.getMessage()));
        }
    }

    private void checkOptions() {
        check(runs >= 2 && runs <= MOST_RUNS, "--runs must be from 2 to %,d, not %d".formatted(MOST_RUNS, runs));
        check(nodes >= 1 && nodes <= MOST_NODES, "--nodes must be from 1 to %,d, not %d".formatted(MOST_NODES, nodes));
        check(group >= 1, "--group must be at least 1, not " + group);
        check(nodeLost >= 0 && nodeLost <= 1, "--node-lost must be from 0 to 1, not " + nodeLost);
        check(correlated >= 0 && correlated <= 1, "--correlated must be from 0 to 1, not " + correlated);
        check(work > 0, "--work must be more than 0 s");
        check(step > 0 && step <= work, "--step must be more than 0 s and at most --work");
        check(every > 0, "--every must be more than 0 s");
        check(nodeMtbf > 0, "--node-mtbf must be more than 0 s");
        for (String policy : policies) {
            check(Simulation.policies().contains(policy), UnknownNames.line("policy", policy, Simulation.policies()));
        }
    }

    /// Refuses a simulation that would take hours.
    private void checkLength(Setting setting) {
        double failures = 3 * work / setting.mean() * runs * policies.size();
        check(
                failures <= MOST_FAILURES,
                "a failure every %s means %.1e failures to simulate, and %.0e is the maximum; give less --work, fewer --runs, or rarer failures"
                        .formatted(Quantities.seconds(setting.mean()), failures, MOST_FAILURES));
    }

    private static void check(boolean right, String problem) {
        if (!right) {
            throw new IllegalArgumentException(problem);
        }
    }

    private Setting setting() throws IOException {
        FailureLaw law =
                weibull == null ? new FailureLaw.Exponential(nodeMtbf) : new FailureLaw.Weibull(nodeMtbf, weibull);
        return new Setting(
                nodes,
                work,
                law,
                failureTimes == null ? List.of() : RecordedFailures.read(failureTimes),
                nodeLost,
                correlated,
                group,
                step,
                restart,
                detect,
                overhead,
                state * codec.ratio,
                (double) bandwidth,
                tiers == Tiers.LOCAL ? (double) localBandwidth : 0);
    }
}
