package dev.cairn.app.run;

import dev.cairn.app.console.Terminal;
import dev.cairn.app.text.Quantities;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.fetch.DataPlaces;
import dev.cairn.train.data.fetch.DataProgress;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The option that names the first folder to search for data sets.
public final class DataFolderOption {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = {
                "Folder with data sets, in folders of their names.",
                "Searched before $CAIRN_DATA, ../shared/datasets",
                "and the cache."
            })
    private @Nullable Path dataDir;

    /// Returns the places to search.
    ///
    /// @throws ParameterException if the named folder does not exist
    public DataPlaces places(CommandSpec command) {
        if (dataDir != null && !Files.isDirectory(dataDir)) {
            throw new ParameterException(
                    command.commandLine(),
                    "--data-dir %s: %s"
                            .formatted(
                                    dataDir,
                                    Files.exists(dataDir)
                                            ? "not a folder; give the folder that holds the data sets"
                                            : "no such folder; create it first, or leave the option out"));
        }
        return DataPlaces.of(Optional.ofNullable(dataDir));
    }

    /// Loads a data set and shows the progress of a download.
    public Dataset load(CommandSpec command, String name, Terminal terminal) throws IOException {
        DataPlaces places = places(command);
        try {
            return DataSets.load(name, places, progress(terminal));
        } finally {
            terminal.progressDone();
        }
    }

    private static DataProgress progress(Terminal terminal) {
        return new DataProgress() {
            @Override
            public void downloading(String file, long bytes, long totalBytes) {
                terminal.progress(() -> totalBytes < 0
                        ? "downloading %s: %s".formatted(file, Quantities.bytes(bytes))
                        : String.format(
                                Locale.ROOT,
                                "downloading %s: %s of %s",
                                file,
                                Quantities.bytes(bytes),
                                Quantities.bytes(totalBytes)));
            }

            @Override
            public void retrying(String file, int nextAttempt, String reason) {
                terminal.line("cairn: downloading %s failed: %s; trying again".formatted(file, reason));
            }

            @Override
            public void waiting(String dataset, Path lock) {
                terminal.line("cairn: waiting for another process, which downloads " + dataset);
            }
        };
    }
}
