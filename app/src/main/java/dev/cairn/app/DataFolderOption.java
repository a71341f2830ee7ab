package dev.cairn.app;

import dev.cairn.train.data.DataPlaces;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where data sets are looked for first.
final class DataFolderOption {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "A folder that holds data sets, each in a folder of its name; looked at before $CAIRN_DATA "
                    + "and the cache.")
    private @Nullable Path dataDir;

    DataPlaces places() {
        return DataPlaces.of(Optional.ofNullable(dataDir));
    }
}
