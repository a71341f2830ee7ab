package dev.cairn.app;

import dev.cairn.train.data.DataPlaces;
import dev.cairn.train.data.DataProgress;
import dev.cairn.train.data.DataSets;
import dev.cairn.train.data.Dataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which data, and where it is.
final class DataOptions {
    @Option(
            names = "--data",
            paramLabel = "NAME",
            description = {
                "What to learn from (default: digits; mf fake-ratings).",
                "made by Cairn: digits, fake, fake-227, fake-ratings, fake-movielens-10m",
                "downloaded once where they are in none of the places: mnist, fashion-mnist, jester, movielens-100k, "
                        + "movielens-1m, movielens-10m"
            })
    @Nullable
    String data;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "A folder that holds data sets, each in a folder of its name; looked at before $CAIRN_DATA "
                    + "and the cache.")
    private @Nullable Path dataDir;

    /// Where data sets are looked for.
    DataPlaces places() {
        return DataPlaces.of(Optional.ofNullable(dataDir));
    }

    /// Loads it, telling how far a download is.
    Dataset load(String name, Terminal terminal) throws IOException {
        try {
            return DataSets.load(name, places(), progress(terminal));
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
