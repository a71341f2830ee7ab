package dev.cairn.testkit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Starts another process with the same Java and class path as this one.
public final class JavaProcess {
    private JavaProcess() {}

    /// The Java executable that runs this test.
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// Returns the command that runs this main class.
    public static List<String> command(List<String> flags, Class<?> main, String... arguments) {
        var command = new ArrayList<String>();
        command.add(java());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
