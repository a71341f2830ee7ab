package dev.cairn.app;

import dev.cairn.train.data.DataPlaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Where data sets are looked for first.
final class DataFolderOption {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "A folder that holds data sets, each in a folder of its name; looked at before "
                    + "$CAIRN_DATA, ../shared/datasets and the cache.")
    private @Nullable Path dataDir;

    /// The places, of which the one that was named exists.
    ///
    /// @throws ParameterException where it does not
    DataPlaces places(CommandSpec command) {
        if (dataDir != null && !Files.isDirectory(dataDir)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--data-dir %s: %s"
                            .formatted(
                                    dataDir,
                                    Files.exists(dataDir)
                                            ? "not a folder; give the folder that holds the data sets"
                                            : "no such folder; make it first, or leave the option out"));
        }
        return DataPlaces.of(Optional.ofNullable(dataDir));
    }
}
