package dev.cairn.app.machine;

import dev.cairn.app.console.Choices;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.DataFolderOption;
import dev.cairn.app.text.ByteCount;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.UnknownNames;
import dev.cairn.bench.Bench;
import dev.cairn.bench.Row;
import dev.cairn.bench.checkpoint.CheckpointBench;
import dev.cairn.bench.checkpoint.RestoreBench;
import dev.cairn.bench.codec.CodecBench;
import dev.cairn.bench.observe.ObserveBench;
import dev.cairn.bench.team.TeamBench;
import dev.cairn.bench.train.TrainBench;
import dev.cairn.bench.transfer.TransferBench;
import dev.cairn.disk.Folders;
import dev.cairn.train.data.ImageSet;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn bench`.
@Command(
        name = "bench",
        description =
                "Measures this build on this machine, and compares it with memcpy and general compressors in the same run.",
        sortOptions = false,
        footer = {
            "",
            "Exit code 1 if a figure does not reach its required value. If MNIST is in none",
            "of the data folders, the images are those of 'digits'."
        })
public final class BenchCommand implements Callable<Integer> {
    static final List<String> KNOWN = List.of("codec", "checkpoint", "restore", "export", "train", "team", "observe");

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            paramLabel = "NAME",
            completionCandidates = Benches.class,
            description = {
                "What to measure; each takes some minutes:",
                "codec       size, error and speed of codecs",
                "checkpoint  saving, restoring and the size of a run",
                "restore     only the restores that users have; takes a",
                "            minute",
                "export      export and import, compared with a plain",
                "            copy; needs five times --size on the disk",
                "train       speed of the engines, and the cost of the",
                "            trainer and of automatic checkpoints",
                "team        recovery, cost and speed of several workers;",
                "            takes ten minutes",
                "observe     what it costs a training to be recorded for the",
                "            dashboard, TensorBoard and Prometheus"
            })
    private String name;

    @Mixin
    private DataFolderOption dataFolder;

    @Option(names = "--threads", paramLabel = "N", description = "Number of training threads (default: all cores).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--speed-only", description = "For 'train': measure only the speed of the engines; takes a minute.")
    private boolean speedOnly;

    @Option(
            names = "--size",
            paramLabel = "4G",
            defaultValue = "4G",
            converter = ByteCount.class,
            description = "For 'export': size of the state, such as 500M (default: ${DEFAULT-VALUE}).")
    private long size;

    /// The data set of the measurement; null if the benchmark uses none.
    private @Nullable String data;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    BenchCommand() {}

    @Override
    public Integer call() throws IOException {
        if (!KNOWN.contains(name)) {
            throw new CommandLine.ParameterException(spec.commandLine(), UnknownNames.line("benchmark", name, KNOWN));
        }
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        Path folder = Files.createTempDirectory("cairn-bench-");
        try {
            Consumer<String> progress = text -> terminal.progress(() -> text);
            Bench bench = switch (name) {
                case "codec" -> new CodecBench(images(), folder, threads, progress);
                case "train" -> new TrainBench(images(), folder, threads, speedOnly, progress);
                case "observe" -> new ObserveBench("dev.cairn.app.Main", folder, threads, progress);
                case "restore" -> new RestoreBench(images(), folder, threads, progress);
                case "export" -> new TransferBench("dev.cairn.app.Main", folder, size, progress);
                case "team" -> new TeamBench("dev.cairn.app.Main", folder, progress);
                default -> new CheckpointBench(images(), folder, threads, progress);
            };
            List<Row> rows = bench.run();
            terminal.progressDone();
            var report = new BenchReport(rows, bench, data);
            PrintWriter out = spec.commandLine().getOut();
            if (common.json) {
                Json.print(out, report.document());
            } else {
                report.print(out);
            }
            return rows.stream().allMatch(Row::ok) ? ExitCode.DONE : ExitCode.FAILED;
        } finally {
            terminal.progressDone();
            Folders.delete(folder);
        }
    }

    /// MNIST, if it is present; a benchmark downloads nothing.
    private ImageSet images() throws IOException {
        DataPlaces places = dataFolder.places(spec);
        data = DataSets.find("mnist", places).isPresent() ? "mnist" : "digits";
        return (ImageSet) DataSets.load(data, places, DataProgress.NONE);
    }

    /// The names of the benchmarks, for shell completion.
    static final class Benches extends Choices {
        @Override
        protected List<String> words() {
            return KNOWN;
        }
    }
}
