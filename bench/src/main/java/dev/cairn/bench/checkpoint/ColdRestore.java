package dev.cairn.bench.checkpoint;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Path;

/// Restores the newest checkpoint into 256 MB as the first action of a process, and prints the nanoseconds. The start
/// of the JVM does not count.
final class ColdRestore {
    private ColdRestore() {}

    /// Restores once.
    ///
    /// @param arguments the run
    public static void main(String[] arguments) throws IOException {
        var options = CheckpointOptions.defaults().withoutLog();
        try (var state = new AdamState();
                var checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            long start = System.nanoTime();
            boolean restored = checkpoints.restoreLatest(state).isPresent();
            long nanos = System.nanoTime() - start;
            if (!restored) {
                throw new IOException("nothing to restore in " + arguments[0]);
            }
            System.out.println(nanos);
        }
    }
}
