package dev.cairn.app.train;

import dev.cairn.app.console.Choices;
import dev.cairn.app.console.Terminal;
import dev.cairn.app.run.DataFolderOption;
import dev.cairn.app.text.UnknownNames;
import dev.cairn.train.data.Dataset;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// Options that select the data set and the folder that contains it.
final class DataOptions {
    @Option(
            names = "--data",
            paramLabel = "DATA",
            completionCandidates = Choices.Data.class,
            description = {
                "Data set to train on (default: digits; mf: fake-ratings).",
                "made by Cairn: digits, fake, fake-227, fake-ratings, fake-movielens-10m",
                "downloaded once, if found in none of the data folders: mnist, fashion-mnist, jester, movielens-100k, "
                        + "movielens-1m, movielens-10m"
            })
    @Nullable
    String data;

    @Mixin
    private DataFolderOption folder;

    /// Made by picocli, which fills the annotated fields.
    @SuppressWarnings("NullAway.Init")
    DataOptions() {}

    /// Refuses an unknown data set.
    void check(CommandSpec command) {
        if (data != null && !DataSets.names().contains(data)) {
            throw new ParameterException(command.commandLine(), UnknownNames.line("data set", data, DataSets.names()));
        }
        folder.places(command);
    }

    /// Loads the data set and shows the progress of a download.
    Dataset load(CommandSpec command, String name, Terminal terminal) throws IOException {
        return folder.load(command, name, terminal);
    }
}
