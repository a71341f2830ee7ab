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
                    "no run at " + folder + (Files.exists(folder) ? ": not a folder" : ": no such folder")
                            + "; give the folder that 'train --run' was given");
        }
        if (!Files.isDirectory(folder.resolve("log"))
                && !Files.isDirectory(folder.resolve("lease"))
                && !Files.exists(folder.resolve("writer.lock"))) {
            throw new CommandLine.ParameterException(
                    command.commandLine(),
                    "no run at " + folder + ": it has no 'log' folder; give the folder that 'train --run' was given");
        }
        return new CheckpointStore(new LocalBlobStore(folder));
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
