package dev.cairn.testkit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A program with its arguments, and how to start it.
///
/// @param words the program and its arguments
/// @param environment variables to add to those of this process
/// @param errors where it writes its errors
public record Command(List<String> words, Map<String, String> environment, Errors errors) {
    /// Where a process writes its errors.
    public enum Errors {
        APART,
        /// Into its output, in the order in which the lines were written.
        IN_OUTPUT
    }

    /// How a process ended.
    public record Ended(int code, String out, String err) {}

    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    public static Command of(String... words) {
        return of(List.of(words));
    }

    public static Command of(List<String> words) {
        return new Command(words, Map.of(), Errors.APART);
    }

    /// Runs this main class with the Java and the class path of this process.
    public static Command java(List<String> flags, Class<?> main, String... arguments) {
        return of(JavaProcess.command(flags, main, arguments));
    }

    /// The same command as the last arguments of another program, such as `strace`, that starts it.
    public Command startedBy(List<String> starter) {
        var all = new ArrayList<>(starter);
        all.addAll(words);
        return new Command(all, environment, errors);
    }

    public Command withVariable(String name, String value) {
        var more = new TreeMap<>(environment);
        more.put(name, value);
        return new Command(words, more, errors);
    }

    public Command withErrorsInOutput() {
        return new Command(words, environment, Errors.IN_OUTPUT);
    }

    public ChildProcess start() throws IOException {
        return ChildProcess.start(this);
    }

    /// Runs it to its end, with empty input. Fails if that takes longer than the limit of [Eventually].
    public Ended run() throws IOException {
        try (ChildProcess process = start()) {
            process.tellNoMore();
            int code = process.end();
            return new Ended(code, process.out(), process.err());
        }
    }

    /// Runs it to its end. If its exit code is not 0, fails with its output.
    ///
    /// @return its output
    public String succeed() throws IOException {
        Ended ended = run();
        if (ended.code() != 0) {
            throw new AssertionError("exit code %d of %s: %s%s"
                    .formatted(ended.code(), String.join(" ", words), ended.out(), ended.err()));
        }
        return ended.out();
    }

    /// Whether its exit code is 0; false also if the program does not exist.
    public boolean succeeds() {
        try {
            return run().code() == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
