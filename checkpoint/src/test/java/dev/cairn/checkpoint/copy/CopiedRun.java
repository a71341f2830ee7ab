package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.Damage;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A run with a copy, which tests train, lose and damage.
abstract class CopiedRun {
    @TempDir
    Path folder;

    final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    Path run;
    BlobStore copy;

    @BeforeEach
    void makeFolders() throws IOException {
        run = folder.resolve("run");
        Files.createDirectory(folder.resolve("copy"));
        copy = new LocalBlobStore(folder.resolve("copy"));
    }

    CheckpointOptions options() {
        return alone().withCopy(copy);
    }

    /// Without a copy.
    CheckpointOptions alone() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:2"))
                .withoutLog()
                .withListener(events::add);
    }

    /// Restores and makes so many steps more.
    CountingState train(CheckpointOptions options, int steps) throws IOException {
        return train(options, steps, _ -> {});
    }

    /// The same; each step gets into the copy before the next is made.
    void trainCopied(CheckpointOptions options, int steps) throws IOException {
        train(options, steps, checkpoints -> {
            keepHouse(checkpoints);
            Eventually.holds(
                    "all is copied", () -> checkpoints.copyLag().orElseThrow().isNone());
        });
    }

    /// The same; what a step leaves to be merged and removed is done before the next is made.
    void trainPruned(CheckpointOptions options, int steps) throws IOException {
        train(options, steps, SecondTierTest::keepHouse);
    }

    static void keepHouse(Checkpoints checkpoints) {
        try {
            checkpoints.awaitHousekeeping();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CountingState train(CheckpointOptions options, int steps, Consumer<Checkpoints> afterEach) throws IOException {
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            checkpoints.fetchCopy();
            checkpoints.restoreLatest(state);
            assertThat(state.isAt(state.step)).isTrue();
            for (int i = 0; i < steps; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
                afterEach.accept(checkpoints);
            }
        }
        return state;
    }

    void loseTheRun() throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    List<Commit> copied() throws IOException {
        return CopyRound.checkpoints(new CheckpointStore(copy).history());
    }

    <E extends CheckpointEvent> List<E> heard(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Whether the copy alone is a run whose newest checkpoint can be restored.
    void checkCopy(long step) throws IOException {
        var store = new CheckpointStore(copy);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .damaged())
                .isEmpty();
        var state = new CountingState();
        new Restorer(store, _ -> {}).restore(new Selector.Latest(), state, Matching.WHOLE);
        assertThat(state.isAt(step)).as("step %d", step).isTrue();
    }

    /// The file of the newest checkpoint in this part of a run. A merge may have given an older one a newer file.
    static Path ofNewest(Path folder, String part) throws IOException {
        Commit newest = new CheckpointStore(new LocalBlobStore(folder))
                .history()
                .currentCheckpoints()
                .getLast();
        return newest.files().stream()
                .filter(file -> file.startsWith(part + "/"))
                .map(folder::resolve)
                .findFirst()
                .orElseThrow();
    }

    static void flipABit(Path file) throws IOException {
        if (file.toString().endsWith(".seg")) {
            Damage.inTheMiddle(file);
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
    }

    static void copyFolder(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
