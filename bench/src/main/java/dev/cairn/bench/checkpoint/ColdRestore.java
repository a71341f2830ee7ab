package dev.cairn.bench.checkpoint;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Path;

/// One restore of the newest checkpoint into 256 MB, as the first thing that a process does; prints how
/// many nanoseconds it took. The JVM's own start is not part of it.
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
