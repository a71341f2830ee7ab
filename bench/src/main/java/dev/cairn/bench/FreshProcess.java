package dev.cairn.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A new process with the flags of this one, in which nothing has been compiled.
public final class FreshProcess {
    private FreshProcess() {}

    /// The command that starts this class, with the flags of this process and some more.
    public static List<String> command(String main, List<String> flags, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(flags);
        command.addAll(List.of("-Dcairn.terminal=false", "-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return command;
    }

    /// Returns the numbers that the class prints, one per line.
    public static List<Long> numbers(Path folder, Class<?> main, String... arguments) throws IOException {
        Path out = Files.createTempFile(folder, "fresh-", ".out");
        Path log = Files.createTempFile(folder, "fresh-", ".log");
        Process process = new ProcessBuilder(command(main.getName(), List.of(), List.of(arguments)))
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("%s %s: %s"
                        .formatted(main.getSimpleName(), String.join(" ", arguments), Files.readString(log)));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return Files.readAllLines(out).stream().map(Long::parseLong).toList();
    }
}
