package dev.cairn.app.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.NewRun;
import dev.cairn.app.run.RunFolders;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.run.WritingOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.formats.Selection;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.transfer.Import;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn import`.
@Command(
        name = "import",
        description =
                "Starts a new run from the tensors of a file: safetensors, NumPy's npz, PyTorch's pt or TensorFlow's "
                        + "bundle. Nothing in the file is executed.",
        sortOptions = false,
        footer = {
            "",
            "Nested dictionaries become names with dots. From {'model': …, 'optimizer': …}",
            "only the model is imported, under its own names. Tensors are imported as",
            "weights, unless the file was made by 'cairn export --all': then the checkpoint",
            "is the same as before. Name a bundle by its prefix, as in TensorFlow, or by its",
            "index.",
            "",
            "Examples:",
            "  cairn import model.safetensors runs/imported",
            "  cairn import model.ckpt-1000 runs/imported",
            "  cairn import checkpoint.pt runs/imported --select ema.module",
            "  cairn train lenet --run runs/tuned --from runs/imported"
        })
public final class ImportCommand implements Callable<Integer> {
    /// Selects all tensors of a file.
    private static final String ALL = ".";

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(index = "0", paramLabel = "FILE", description = "The file to read.")
    private Path file;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            description = "The new run's folder, created if it does not exist, or s3://bucket/prefix.")
    private RunLocation run;

    @Mixin
    private FormatOption format;

    @Option(
            names = "--select",
            paramLabel = "PATH",
            description = "Import only tensors whose names begin with PATH and a dot, such as those of the dictionary "
                    + "'model', and remove this prefix from their names; '.' imports all (default: in a pt file "
                    + "with one dictionary that is not an optimizer's, that one).")
    private @Nullable String select;

    @Option(
            names = "--step",
            paramLabel = "N",
            description = "Step of the checkpoint (default: the step in the file, or 0).")
    private @Nullable Long step;

    @Mixin
    private WritingOptions writing;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ImportCommand() {}

    @Override
    public Integer call() throws IOException {
        long startNanos = Clock.system().nanos();
        if (step != null && step < 0) {
            throw new ParameterException(spec.commandLine(), "--step must be 0 or more, not " + step);
        }
        if (!Files.exists(file) && !Files.exists(TensorFormat.BUNDLE.files(file).getLast())) {
            throw new ParameterException(spec.commandLine(), "no such file: " + file);
        }
        TensorFormat chosen = format.of(spec, file);
        Optional<Path> target = checkRun();
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        try (TensorFile source = chosen.open(file)) {
            OptionalLong asked = step == null ? OptionalLong.empty() : OptionalLong.of(step);
            String name = String.valueOf(file.getFileName());
            Optional<String> path = path(source);
            var tensors = new Import(path.isEmpty() ? source : Selection.of(name, source, path.get()), name, asked);
            Commit checkpoint = target.isPresent()
                    ? commitNew(tensors, target.get(), terminal)
                    : commit(tensors, Runs.blobs(spec, run, storage), terminal);
            tensors.notes().forEach(note -> terminal.line("cairn: not imported: " + note));
            told(source, path).ifPresent(terminal::line);
            print(
                    checkpoint,
                    tensors,
                    chosen,
                    path,
                    Duration.ofNanos(Clock.system().nanos() - startNanos));
            return ExitCode.DONE;
        } finally {
            terminal.progressDone();
        }
    }

    /// Returns the part of the file to import; empty to import all of it.
    private Optional<String> path(TensorFile source) {
        if (select == null) {
            return Import.modelOf(source);
        }
        return select.equals(ALL) ? Optional.empty() : Optional.of(select);
    }

    /// Returns a note about the parts of the file that were or were not imported.
    private Optional<String> told(TensorFile source, Optional<String> path) {
        String parts = source.parts().stream().map(TensorFile.Part::name).collect(Collectors.joining(", "));
        if (select != null || parts.isEmpty() || Import.isState(source)) {
            return Optional.empty();
        }
        return Optional.of(
                path.isPresent()
                        ? "cairn: imported '%s' of %s; --select PATH imports another part, --select %s all"
                                .formatted(path.get(), parts, ALL)
                        : "cairn: imported all of %s; to train with one of them, import only that one with --select PATH"
                                .formatted(parts));
    }

    /// Refuses a run that has checkpoints, and a folder that contains other files.
    ///
    /// @return the folder, if it does not exist yet
    private Optional<Path> checkRun() throws IOException {
        if (run instanceof RunLocation.Folder(Path folder)) {
            if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(folder);
            }
            if (!isEmpty(folder) && !isRun(folder)) {
                throw new ParameterException(
                        spec.commandLine(), "%s exists and is not a run; choose another folder".formatted(run));
            }
        }
        refuseCheckpoints(new CheckpointStore(Runs.blobs(spec, run, storage)));
        return Optional.empty();
    }

    private static boolean isEmpty(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    /// A writer that is killed before its first record leaves only some files of a run, and no foreign files.
    private boolean isRun(Path folder) throws IOException {
        if (Runs.hasBegun(spec, run, storage)) {
            return true;
        }
        var store = new CheckpointStore(new LocalBlobStore(folder));
        return RunFolders.isRun(folder)
                && StoreVerifier.verify(store, StoreVerifier.Depth.FAST, _ -> {})
                        .foreign()
                        .isEmpty();
    }

    private void refuseCheckpoints(CheckpointStore store) throws IOException {
        if (!store.currentEntries().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "run %s already has checkpoints; choose another run".formatted(run));
        }
    }

    private Commit commitNew(Import tensors, Path folder, Terminal terminal) throws IOException {
        try (NewRun made = NewRun.at(folder)) {
            Commit checkpoint = commit(tensors, new LocalBlobStore(made.folder()), terminal);
            made.appear();
            return checkpoint;
        }
    }

    private Commit commit(Import tensors, BlobStore blobs, Terminal terminal) throws IOException {
        try (WriterRight right = WriterRight.take(blobs, writing.claim(spec, run, terminal))) {
            var store = new CheckpointStore(blobs);
            // Another process may have written to the run until now.
            refuseCheckpoints(store);
            var progress = new TransferProgress(terminal, "importing", tensors.sizeBytes());
            return tensors.commit(
                    CheckpointWriter.open(store, right), Clock.system().now(), progress);
        }
    }

    private void print(Commit checkpoint, Import tensors, TensorFormat chosen, Optional<String> path, Duration wall) {
        if (common.json) {
            ObjectNode document = Json.object()
                    .put("run", run.toString())
                    .put("format", chosen.label())
                    .put("id", checkpoint.id())
                    .put("step", checkpoint.step())
                    .put("tensors", tensors.count())
                    .put("bytes", checkpoint.storedBytes())
                    .put("fullBytes", checkpoint.fullBytes())
                    .put("wallSeconds", Json.seconds(wall));
            path.ifPresent(selected -> document.put("selected", selected));
            var notes = document.putArray("leftOut");
            tensors.notes().forEach(notes::add);
            Json.print(spec.commandLine().getOut(), document);
            return;
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s: step %d, %s, %s stored as %s in %s%n",
                        run,
                        checkpoint.step(),
                        Quantities.count(tensors.count(), "tensor"),
                        Quantities.bytes(tensors.sizeBytes()),
                        Quantities.bytes(checkpoint.storedBytes()),
                        Quantities.seconds(Json.seconds(wall)));
    }
}
