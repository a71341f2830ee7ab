package dev.cairn.app;

import dev.cairn.store.CheckpointStore;
import dev.cairn.store.LocalBlobStore;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// An existing run that a command only reads.
final class RunFolder {
    private RunFolder() {}

    static CheckpointStore open(CommandSpec command, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new CommandLine.ParameterException(
                    command.commandLine(),
                    "no run at " + folder + (Files.exists(folder) ? ": not a folder" : ": no such folder"));
        }
        if (!Files.isDirectory(folder.resolve("log"))
                && !Files.isDirectory(folder.resolve("lease"))
                && !Files.exists(folder.resolve("writer.lock"))) {
            throw new CommandLine.ParameterException(
                    command.commandLine(), "no run at " + folder + ": it has no 'log' folder");
        }
        return new CheckpointStore(new LocalBlobStore(folder));
    }
}
