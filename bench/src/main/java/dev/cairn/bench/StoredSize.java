package dev.cairn.bench;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What checkpoints take on disk: their segments, and the records that make them checkpoints.
public final class StoredSize {
    private StoredSize() {}

    /// Of one checkpoint of the run in this folder.
    public static long of(Path run, Commit checkpoint) throws IOException {
        return checkpoint.storedBytes() + Files.size(run.resolve(RunFiles.record(checkpoint.number())));
    }

    /// Of several together.
    public static long of(Path run, List<Commit> checkpoints) throws IOException {
        long bytes = 0;
        for (Commit checkpoint : checkpoints) {
            bytes += of(run, checkpoint);
        }
        return bytes;
    }
}
