package dev.cairn.app;

import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// An existing run, as a command reads it.
final class RunFolder {
    private RunFolder() {}

    static CheckpointStore open(CommandSpec command, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new CommandLine.ParameterException(
                    command.commandLine(),
                    "no run at " + folder + (Files.exists(folder) ? ": not a folder" : ": no such folder"));
        }
        if (!isRun(folder)) {
            throw new CommandLine.ParameterException(
                    command.commandLine(), "no run at " + folder + ": it has no 'log' folder");
        }
        return new CheckpointStore(new LocalBlobStore(folder));
    }

    /// Whether somebody has written into this folder as into a run.
    static boolean isRun(Path folder) {
        return Files.isDirectory(folder.resolve("log"))
                || Files.isDirectory(folder.resolve("lease"))
                || Files.exists(folder.resolve("writer.lock"));
    }

    /// The runs in this folder, by name.
    static List<Path> runsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(RunFolder::isRun).sorted().toList();
        }
    }

    /// The checkpoints of a run whose records read, oldest first.
    static List<Checkpoint> checkpoints(Path folder) throws IOException {
        return new CheckpointStore(new LocalBlobStore(folder))
                .currentEntries().stream()
                        .flatMap(entry -> entry instanceof Entry.Intact(Checkpoint checkpoint)
                                ? Stream.of(checkpoint)
                                : Stream.empty())
                        .toList();
    }
}
