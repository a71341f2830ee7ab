package dev.cairn.checkpoint;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.testkit.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Runs `tools/reader.py`, which knows nothing of a run but `docs/FORMAT.md`.
final class PythonReader {
    static final Path SCRIPT =
            Path.of("..", "tools", "reader.py").toAbsolutePath().normalize();

    private PythonReader() {}

    /// What it printed for several arguments: the lines of each, without its header.
    record Reading(int code, Map<String, List<String>> lines, String err) {}

    /// Skips the test where there is no Python that can run the script.
    static void assumeThere() {
        assumeTrue(
                Command.of("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))")
                        .succeeds(),
                "skipped: tools/reader.py needs python3, version 3.10 or later, which is not installed");
    }

    static Command.Ended run(List<String> arguments) throws IOException {
        var words = new ArrayList<>(List.of("python3", SCRIPT.toString()));
        words.addAll(arguments);
        return Command.of(words).run();
    }

    /// @param arguments at least two, so that each has a header
    static Reading read(List<String> arguments) throws IOException {
        Command.Ended ended = run(arguments);
        var lines = new LinkedHashMap<String, List<String>>();
        List<String> current = List.of();
        for (String line : ended.out().lines().toList()) {
            if (line.startsWith("# ")) {
                current = new ArrayList<>();
                lines.put(line.substring(2), current);
            } else {
                current.add(line);
            }
        }
        return new Reading(ended.code(), lines, ended.err());
    }
}
