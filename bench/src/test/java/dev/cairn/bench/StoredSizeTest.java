package dev.cairn.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredSizeTest {
    @TempDir
    Path run;

    @Test
    void countsRecordsAndSegments() throws IOException {
        var weights = Arena.ofAuto().allocate(4000);
        try (var checkpoints = Checkpoints.open(run, CheckpointOptions.defaults())) {
            checkpoints.saveNow(
                    1, TrainingState.of(LiveTensor.of("w", Role.WEIGHT, ElementType.FLOAT32, weights, 1000)));
        }
        List<Commit> saved =
                new CheckpointStore(new LocalBlobStore(run)).history().currentCheckpoints();
        long record = sizeOf(run.resolve("log"));
        assertThat(record).isPositive();
        assertThat(StoredSize.of(run, saved))
                .isEqualTo(record + saved.getFirst().storedBytes());
    }

    private static long sizeOf(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
