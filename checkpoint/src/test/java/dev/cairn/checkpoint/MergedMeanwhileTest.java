package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.store.writing.Merger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A checkpoint whose record and segments a merge replaces between any two reads is not mistaken for a damaged one.
class MergedMeanwhileTest {
    private static final int SAVES = 4;

    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new ArrayList<>();
    private final WalkingState live = new WalkingState();

    @Test
    void aForkBeginsWhereTheOtherRunStandsThoughThatIsMergedMeanwhile() throws IOException {
        train(folder.resolve("run"));
        int merges = 0;
        for (int read = 1; isMergedAtRead(read); read++) {
            merges++;
        }
        assertThat(merges).as("merges at every read").isGreaterThan(10);
    }

    /// Whether the fork reads this often.
    private boolean isMergedAtRead(int chosen) throws IOException {
        Path run = copy(folder.resolve("run"), folder.resolve("run-" + chosen));
        var reads = new AtomicInteger();
        var merged = new ArrayList<Commit>();
        var watched = new WatchedBlobStore(new LocalBlobStore(run), operation -> {
            if (operation.startsWith("read ") && reads.incrementAndGet() == chosen) {
                merged.add(merge(run));
            }
        });
        var point = new ForkPoint(new CheckpointStore(watched), "other", new Selector.Latest());
        var state = new WalkingState();
        point.check(state, Matching.WHOLE);
        try (Checkpoints fork = Checkpoints.open(
                folder.resolve("fork-" + chosen),
                CheckpointOptions.defaults().withoutLog().withListener(events::add))) {
            assertThat(fork.restoreFrom(point, state, Matching.WHOLE).step()).isEqualTo(SAVES);
        }
        assertThat(state.digest()).isEqualTo(live.digest());
        assertThat(events).as("merged at read %d", chosen).allMatch(CheckpointEvent.Forked.class::isInstance);
        return !merged.isEmpty();
    }

    private static Commit merge(Path run) throws IOException {
        var store = new CheckpointStore(new LocalBlobStore(run));
        Commit newest = store.history().currentCheckpoints().getLast();
        CheckpointWriter writer = CheckpointWriter.open(store, () -> {});
        Commit merged = new Merger(store, writer).merge(newest).orElseThrow();
        assertThat(run.resolve(newest.files().getLast())).doesNotExist();
        return merged;
    }

    private void train(Path run) throws IOException {
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(2 * SAVES)
                .withRetention(Retention.parse("all"));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int save = 1; save <= SAVES; save++) {
                live.makeStep();
                checkpoints.afterStep(live.step, live);
                checkpoints.awaitHousekeeping();
            }
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }
}
