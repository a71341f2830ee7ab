package dev.cairn.app;

import dev.cairn.checkpoint.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// `RUN[@STEP|@best]` as an argument: the newest checkpoint where it does not say which.
record CheckpointArgument(Path run, Selector selector) {
    /// A folder that is there is meant as it is written, also with an `@` in its name.
    static CheckpointArgument parse(CommandSpec command, String text) {
        int at = text.lastIndexOf('@');
        if (at < 0 || Files.isDirectory(Path.of(text))) {
            return new CheckpointArgument(Path.of(text), new Selector.Latest());
        }
        Selector selector = Selector.parse(text.substring(at + 1))
                .orElseThrow(() -> new ParameterException(
                        command.commandLine(),
                        "%s: '%s' is neither a step nor 'best'".formatted(text, text.substring(at + 1))));
        return new CheckpointArgument(Path.of(text.substring(0, at)), selector);
    }
}
