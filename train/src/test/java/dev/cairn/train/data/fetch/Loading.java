package dev.cairn.train.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Loads data in a separate process, for tests.
public final class Loading {
    private Loading() {}

    /// The output of the process.
    public static String inAnotherProcess(String option, Path place, String... more) throws IOException {
        try (ChildProcess process = start(option, place, more)) {
            return outputAtTheEnd(process);
        }
    }

    static String outputAtTheEnd(ChildProcess process) throws IOException {
        int code = process.end();
        assertThat(code).as(process.out()).isZero();
        return process.out().strip();
    }

    static ChildProcess start(String option, Path place, String... more) throws IOException {
        var arguments = new ArrayList<>(List.of(place.toString()));
        arguments.addAll(List.of(more));
        return Command.java(List.of(option), Loading.class, arguments.toArray(String[]::new))
                .withErrorsInOutput()
                .start();
    }

    /// Loads the ratings that the second argument names, or downloads the file at the third.
    public static void main(String[] arguments) throws IOException {
        Path place = Path.of(arguments[0]);
        if (arguments.length == 2) {
            var set = (RatingSet)
                    DataSets.load(arguments[1], new DataPlaces(Optional.of(place), Map.of(), place), DataProgress.NONE);
            System.out.printf(
                    "users=%d items=%d train=%d test=%d%n",
                    set.users(), set.items(), set.train().count(), set.test().count());
        } else {
            var published = DownloadsTest.published(URI.create(arguments[1]), arguments[2]);
            System.out.println(new Downloads(DownloadsTest.PATIENT).fetch(published, place, DataProgress.NONE));
        }
    }
}
