package dev.cairn.app.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.console.CommonOptions;
import dev.cairn.app.console.ExitCode;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.files.HalfMade;
import dev.cairn.app.run.BestStep;
import dev.cairn.app.run.CopyOption;
import dev.cairn.app.run.RunAt;
import dev.cairn.app.run.Runs;
import dev.cairn.app.run.StorageOptions;
import dev.cairn.app.text.Json;
import dev.cairn.app.text.Quantities;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.NoSuchCheckpointException;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.restore.CheckpointSearch;
import dev.cairn.formats.TensorFormat;
import dev.cairn.store.Clock;
import dev.cairn.store.StoreException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.Manifest;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.transfer.Export;
import dev.cairn.transfer.Export.Scope;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `cairn export`.
@Command(
        name = "export",
        description = "Writes a checkpoint, bit for bit, to a file that other programs read: safetensors, NumPy's npz, "
                + "PyTorch's pt or TensorFlow's bundle. The run is only read.",
        sortOptions = false,
        footer = {
            "",
            "A damaged checkpoint is skipped, as in a restore, unless its step was named.",
            "The file appears when it is complete. A bundle consists of two files,",
            "FILE.index and FILE.data-00000-of-00001; the index appears last.",
            "",
            "Examples:",
            "  cairn export runs/first model.safetensors",
            "  cairn export runs/first@best weights.pt",
            "  cairn export runs/first state.npz --all",
            "  cairn export runs/first model.ckpt"
        })
public final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Parameters(
            index = "0",
            paramLabel = "RUN[@STEP|@best]",
            description =
                    "The run's folder, or s3://bucket/prefix. Selects the newest checkpoint, the newest of STEP, or the best.")
    private RunAt argument;

    @Parameters(index = "1", paramLabel = "FILE", description = "The file to write.")
    private Path file;

    @Mixin
    private FormatOption format;

    @Option(
            names = "--all",
            description = "Export the whole state, with optimizer and random state, and with step and attributes as "
                    + "metadata. 'cairn import' makes the same checkpoint of it (default: weights and buffers).")
    private boolean all;

    @Option(names = "--force", description = "Replace an existing file.")
    private boolean force;

    @Mixin
    private CopyOption copy;

    @Mixin
    private StorageOptions storage;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    ExportCommand() {}

    @Override
    public Integer call() throws IOException {
        long startNanos = Clock.system().nanos();
        TensorFormat chosen = checkTarget();
        CheckpointStore store = Runs.open(spec, argument.run(), storage, copy);
        Terminal terminal = Terminal.of(spec.commandLine().getErr());
        var told = new SearchLines();
        var written = new AtomicReference<@Nullable Export>(); // its record may be removed before the result is printed
        Optional<Commit> found;
        try {
            found = new CheckpointSearch(store, argument.selector())
                    .first(
                            (_, checkpoint) -> {
                                Export export = export(store, checkpoint);
                                write(export, chosen, terminal);
                                written.set(export);
                            },
                            told);
        } catch (NothingToRestoreException e) {
            // For a named step, no checkpoint was skipped, unless the step was saved twice and the other save is
            // good.
            if (!(argument.selector() instanceof Selector.AtStep)) {
                told.passedOver().forEach(terminal::line);
            }
            throw e.getCause() instanceof StoreException first ? first : e;
        }
        told.passedOver().forEach(terminal::line);
        Commit checkpoint = found.orElse(null);
        Export export = written.get();
        if (checkpoint == null || export == null) {
            throw new NoSuchCheckpointException(argument.run().name(), argument.selector(), store.currentEntries());
        }
        told.healed().forEach(terminal::line);
        export.healed()
                .forEach(healed -> terminal.line(
                        "cairn: " + CheckpointEvent.Healed.of(healed).text()));
        BestStep best = BestStep.of(argument.selector(), store, checkpoint.step());
        best.note().ifPresent(terminal::line);
        print(checkpoint, best, export, chosen, Duration.ofNanos(Clock.system().nanos() - startNanos));
        return ExitCode.DONE;
    }

    private Export export(CheckpointStore store, Commit checkpoint) throws IOException {
        Manifest manifest = store.manifest(checkpoint);
        var export = new Export(store, manifest, all ? Scope.ALL : Scope.MODEL, TorchOptimizers.of(manifest));
        if (export.count() == 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    manifest.tensors().isEmpty()
                            ? "step %d has no tensors to export".formatted(checkpoint.step())
                            : "step %d has no weights; --all exports its other tensors".formatted(checkpoint.step()));
        }
        return export;
    }

    private TensorFormat checkTarget() throws IOException {
        checkFile(file);
        TensorFormat chosen = format.of(spec, file);
        for (Path target : chosen.files(file)) {
            checkFile(target);
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !force) {
                throw new ParameterException(
                        spec.commandLine(),
                        "%s %s; choose another name, or --force to replace it".formatted(target, presence(target)));
            }
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "no folder " + folder + "; create it first");
        }
        return chosen;
    }

    private void checkFile(Path target) {
        if (Files.isDirectory(target)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s is a %sfolder; give a file"
                            .formatted(target, Files.isSymbolicLink(target) ? "link to a " : ""));
        }
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s is a %sdevice, pipe or socket and is not replaced; give another name"
                            .formatted(target, Files.isSymbolicLink(target) ? "link to a " : ""));
        }
    }

    /// Describes what already has this name.
    private static String presence(Path target) throws IOException {
        return Files.exists(target)
                ? "already exists"
                : "is a link to %s, which does not exist".formatted(Files.readSymbolicLink(target));
    }

    private void write(Export export, TensorFormat chosen, Terminal terminal) throws IOException {
        String name = ".%s.%08x.part"
                .formatted(file.getFileName(), ThreadLocalRandom.current().nextInt());
        Path temporary = file.toAbsolutePath().resolveSibling(name);
        var progress = new TransferProgress(terminal, "exporting", export.sizeBytes());
        Path folder = Objects.requireNonNull(temporary.getParent());
        checkRoom(folder, export.sizeBytes(), temporary);
        List<Path> made = chosen.files(temporary);
        try (var first = new HalfMade(made.getFirst());
                var last = new HalfMade(made.getLast())) {
            export.write(chosen, temporary, progress);
            appear(made, chosen.files(file.toAbsolutePath()), folder);
            first.keep();
            last.keep();
        } finally {
            terminal.progressDone();
        }
    }

    /// Moves the files to their names. The file that shows that all are complete is moved last, so it never
    /// appears next to older files.
    private void appear(List<Path> made, List<Path> targets, Path folder) throws IOException {
        if (!force) {
            for (Path target : targets) {
                if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                    throw new FileAlreadyExistsException(
                            target.toString(), null, "created by another program in the meantime");
                }
            }
        } else if (targets.size() > 1) {
            Files.deleteIfExists(targets.getLast());
            sync(folder);
        }
        for (int i = 0; i < targets.size(); i++) {
            if (force) {
                Files.move(made.get(i), targets.get(i), StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.move(made.get(i), targets.get(i));
            }
            sync(folder);
        }
    }

    /// Makes the new names survive a power cut.
    private static void sync(Path folder) throws IOException {
        try (FileChannel entries = FileChannel.open(folder)) {
            entries.force(true);
        }
    }

    /// Checks the free space before anything is written. A folder in which nothing can be written may also report
    /// no space. Creating a file then gives the actual error.
    ///
    /// @param trial an unused name in the folder
    private static void checkRoom(Path folder, long needed, Path trial) throws IOException {
        FileStore disk = Files.getFileStore(folder);
        long usable = disk.getUsableSpace();
        if (usable >= needed) {
            return;
        }
        try (var made = new HalfMade(trial)) {
            Files.createFile(made.path());
        }
        if (disk.getTotalSpace() > 0) {
            throw new IOException(
                    "not enough space: the file needs %,d bytes, the disk has %,d; free some space, or choose a folder on another disk"
                            .formatted(needed, usable));
        }
    }

    private void print(Commit checkpoint, BestStep best, Export export, TensorFormat chosen, Duration wall)
            throws IOException {
        long bytes = 0;
        for (Path part : chosen.files(file)) {
            bytes += Files.size(part);
        }
        if (common.json) {
            ObjectNode document = Json.object()
                    .put("file", file.toString())
                    .put("format", chosen.label())
                    .put("id", checkpoint.id())
                    .put("step", checkpoint.step())
                    .put("tensors", export.count())
                    .put("bytes", bytes)
                    .put("wallSeconds", Json.seconds(wall));
            best.put(document);
            Json.print(spec.commandLine().getOut(), document);
            return;
        }
        spec.commandLine()
                .getOut()
                .printf(
                        "%s: step %d, %s, %s as %s in %s%n",
                        file,
                        checkpoint.step(),
                        Quantities.count(export.count(), "tensor"),
                        Quantities.bytes(bytes),
                        chosen.label(),
                        Quantities.seconds(Json.seconds(wall)));
    }
}
