package dev.cairn.formats;

import dev.cairn.testkit.Command;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// A Python with numpy and safetensors, and torch if the machine has it. It is the Python that `CAIRN_PYTHON` names, or
/// a virtual environment in the user's cache folder, which is created once.
final class Python {
    private static final String COMPLETE = "complete";

    private final Path interpreter;
    private final Path script;

    private Python(Path interpreter, Path script) {
        this.interpreter = interpreter;
        this.script = script;
    }

    static Python find() throws IOException, URISyntaxException {
        Path script = Path.of(
                Objects.requireNonNull(Python.class.getResource("/witness.py")).toURI());
        String given = System.getenv("CAIRN_PYTHON");
        return new Python(given == null ? environment() : Path.of(given), script);
    }

    /// The same, but only if nothing must be installed for it.
    static Optional<Python> atHand() throws IOException, URISyntaxException {
        return System.getenv("CAIRN_PYTHON") != null || Files.exists(folder().resolve(COMPLETE))
                ? Optional.of(find())
                : Optional.empty();
    }

    private static Path folder() {
        String cache = System.getenv("XDG_CACHE_HOME");
        return (cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache))
                .resolve("cairn/python-1");
    }

    private static Path environment() throws IOException {
        Path folder = folder();
        Path interpreter = folder.resolve("bin/python");
        Path complete = folder.resolve(COMPLETE);
        if (!Files.exists(complete)) {
            Files.createDirectories(folder);
            // The environment sees a torch that is installed on the system.
            run(List.of("python3", "-m", "venv", "--clear", "--system-site-packages", folder.toString()));
            run(List.of(interpreter.toString(), "-m", "pip", "install", "--quiet", "numpy", "safetensors"));
            Files.createFile(complete);
        }
        return interpreter;
    }

    boolean has(String module) throws IOException {
        return run("has", module).strip().equals("True");
    }

    /// Returns what the script prints.
    String run(String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(interpreter.toString(), script.toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static String run(List<String> words) throws IOException {
        Command.Ended ended = Command.of(words).run();
        if (ended.code() != 0) {
            throw new IOException("failed: " + String.join(" ", words) + ": " + ended.err()
                    + "; the tests with Python need python3 with its venv module, and a network for pip");
        }
        return ended.out();
    }
}
