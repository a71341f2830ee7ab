package dev.cairn.app.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads the failures of a run from a file: the seconds since its start, ascending, one number a line.
final class RecordedFailures {
    private final Path file;
    private final List<Double> times = new ArrayList<>();

    private RecordedFailures(Path file) {
        this.file = file;
    }

    /// Returns the times, or throws an `IllegalArgumentException` with a message of one line.
    static List<Double> read(Path file) throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("cannot read " + file + "; give a file with one number per line");
        }
        var read = new RecordedFailures(file);
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank()) {
                read.add(line.strip());
            }
        }
        if (read.times.isEmpty()) {
            throw new IllegalArgumentException(file + " contains no failures");
        }
        return List.copyOf(read.times);
    }

    private void add(String text) {
        double time;
        try {
            time = Double.parseDouble(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    "%s: failure %d is not a number of seconds: '%s'".formatted(file, times.size() + 1, text));
        }
        if (!(time > (times.isEmpty() ? 0 : times.getLast()))) {
            throw new IllegalArgumentException(
                    "%s: failure %d is not later than the one before it: %s".formatted(file, times.size() + 1, text));
        }
        times.add(time);
    }
}
