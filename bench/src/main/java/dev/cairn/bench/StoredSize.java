package dev.cairn.bench;

import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The size of checkpoints on disk: their segments, their records and the twins of these.
public final class StoredSize {
    /// A record is stored twice.
    private static final int PLACES = 2;

    private StoredSize() {}

    /// The size of one checkpoint of the run in this folder.
    public static long of(Path run, Commit checkpoint) throws IOException {
        return checkpoint.storedBytes() + PLACES * Files.size(run.resolve(RunFiles.record(checkpoint.number())));
    }

    /// The size of several checkpoints together.
    public static long of(Path run, List<Commit> checkpoints) throws IOException {
        long bytes = 0;
        for (Commit checkpoint : checkpoints) {
            bytes += of(run, checkpoint);
        }
        return bytes;
    }
}
