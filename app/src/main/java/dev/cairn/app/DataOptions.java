package dev.cairn.app;

import dev.cairn.train.data.DataPlaces;
import dev.cairn.train.data.DataProgress;
import dev.cairn.train.data.DataSets;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Which data, and where it is.
final class DataOptions {
    @Option(
            names = "--data",
            paramLabel = "DATA",
            completionCandidates = Choices.Data.class,
            description = {
                "What to learn from (default: digits; mf fake-ratings).",
                "made by Cairn: digits, fake, fake-227, fake-ratings, fake-movielens-10m",
                "downloaded once where they are in none of the places: mnist, fashion-mnist, jester, movielens-100k, "
                        + "movielens-1m, movielens-10m"
            })
    @Nullable
    String data;

    @Mixin
    private DataFolderOption folder;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DataOptions() {}

    /// Refuses what no data can come from.
    void check(CommandSpec command) {
        if (data != null && !DataSets.names().contains(data)) {
            throw new ParameterException(
                    command.commandLine(),
                    "unknown data set '%s'; known: %s".formatted(data, String.join(", ", DataSets.names())));
        }
        folder.places(command);
    }

    /// Loads it, telling how far a download is.
    Dataset load(CommandSpec command, String name, Terminal terminal) throws IOException {
        DataPlaces places = folder.places(command);
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
                terminal.line("cairn: waiting for another process that downloads " + dataset);
            }
        };
    }
}
