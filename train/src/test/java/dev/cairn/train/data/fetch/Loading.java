package dev.cairn.train.data.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.train.data.RatingSet;
import dev.cairn.train.data.sets.DataSets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Loads data in a separate process, for tests.
public final class Loading {
    private Loading() {}

    /// The output of the process.
    public static String inAnotherProcess(String option, Path place, String... more) throws Exception {
        Process process = start(option, place, more);
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    static Process start(String option, Path place, String... more) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(option);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Loading.class.getName());
        command.add(place.toString());
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
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
