package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.WatchedBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run has lost comes back from its copy, and nothing else does.
class FetchedCopyTest extends CopiedRun {
    @Test
    void whereTheRunIsLostItGoesOnFromTheCopy() throws IOException {
        train(options(), 7);
        loseTheRun();
        assertThat(train(options(), 3).step).isEqualTo(10);
        assertThat(heard(CheckpointEvent.Fetched.class))
                .singleElement()
                .satisfies(fetched -> assertThat(fetched.checkpoint().step()).isEqualTo(7));
        checkCopy(10);
    }

    @Test
    void whereNothingOfTheRunVerifiesItHealsFromTheCopy() throws IOException {
        // Without merges: a merged form gets into the copy only with the next copy.
        train(options().withLongestChain(0), 5);
        try (Stream<Path> files = Files.list(run.resolve("segments"))) {
            for (Path file : files.toList()) {
                flipABit(file);
            }
        }
        assertThat(train(options().withLongestChain(0), 1).step).isEqualTo(6);
        assertThat(heard(CheckpointEvent.Healed.class))
                .isNotEmpty()
                .allSatisfy(healed -> assertThat(healed.source()).contains("bytes of the copy"));
        assertThat(heard(CheckpointEvent.PassedOver.class)).isEmpty();
        checkCopy(6);
    }

    /// Its files are there, and none of its records can be read.
    @Test
    void whereNothingOfTheRunCanBeReadTheCopyIsTheNearest() throws IOException {
        train(options(), 5);
        try (Stream<Path> files = Files.list(run.resolve("log"))) {
            for (Path file : files.toList()) {
                Files.write(file, new byte[100]);
            }
        }
        assertThat(train(options(), 1).step).isEqualTo(6);
        assertThat(heard(CheckpointEvent.Fetched.class)).hasSize(1);
        checkCopy(6);
    }

    /// The checkpoints of another run are not taken, even where nothing of the run can be restored.
    @ParameterizedTest
    @ValueSource(ints = {1, 9})
    void nothingIsTakenFromTheCopyOfAnotherRun(int lost) throws IOException {
        trainCopied(options(), 12);
        run = folder.resolve("other");
        train(alone(), 5);
        List<Commit> own = CopyRound.checkpoints(new CheckpointStore(new LocalBlobStore(run)).history());
        for (Commit checkpoint : own.reversed().stream().limit(lost).toList()) {
            Files.delete(run.resolve(checkpoint.segments().getFirst().name()));
        }
        events.clear();
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            if (lost < own.size()) {
                assertThat(checkpoints.restoreLatest(state).orElseThrow().step())
                        .isEqualTo(4);
                assertThat(state.isAt(4)).isTrue();
            } else {
                assertThatThrownBy(() -> checkpoints.restoreLatest(state))
                        .isInstanceOf(NothingToRestoreException.class);
                assertThatThrownBy(checkpoints::fetchCopy)
                        .hasMessageStartingWith("it has the checkpoints of another run");
            }
        }
        assertThat(heard(CheckpointEvent.Fetched.class)).isEmpty();
    }

    @Test
    void theCopyOfAnotherRunIsLeftAsItIs() throws IOException {
        trainCopied(options(), 6);
        List<Commit> before = copied();
        run = folder.resolve("other");
        train(alone(), 20);
        events.clear();
        assertThat(train(options(), 10).step).isEqualTo(30);
        assertThat(heard(CheckpointEvent.CopyFailed.class))
                .extracting(failed -> failed.cause().getMessage())
                .singleElement()
                .asString()
                .startsWith("it has the checkpoints of another run");
        assertThat(copied()).isEqualTo(before);
    }

    /// The run could go on from an older one, and the steps in between would be lost.
    @ParameterizedTest
    @ValueSource(strings = {"segments", "log"})
    void whatIsLostInTheRunAndWholeInTheCopyIsFetched(String part) throws IOException {
        trainCopied(options(), 6);
        Path file = ofNewest(run, part);
        if (part.equals("log")) {
            flipABit(file);
            Files.copy(file, Path.of(file.toString().replace(".rec", ".twin")), StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(file);
        }
        events.clear();
        assertThat(train(options(), 0).step).isEqualTo(6);
        assertThat(heard(CheckpointEvent.Fetched.class))
                .extracting(fetched -> fetched.checkpoint().step())
                .containsExactly(6L);
        events.clear();
        assertThat(train(options(), 1).step).isEqualTo(7);
        assertThat(heard(CheckpointEvent.PassedOver.class))
                .as("the run is whole again")
                .isEmpty();
        checkCopy(7);
    }

    /// All later checkpoints need them, and their own records are intact.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theRunGoesOnFromTheNewestIfRecordsOfItsParentsAreLost(int records) throws IOException {
        CheckpointOptions options = options().withLongestChain(100).withRetention(Retention.parse("all"));
        trainCopied(options, 5);
        for (int number = 1; number <= records; number++) {
            for (String end : List.of("rec", "twin")) {
                flipABit(run.resolve("log/000000000%d.%s".formatted(number, end)));
            }
        }
        events.clear();
        assertThat(train(options, 0).step).isEqualTo(5);
        assertThat(heard(CheckpointEvent.Fetched.class))
                .extracting(fetched -> fetched.checkpoint().step())
                .containsExactly(5L);
        events.clear();
        assertThat(train(options, 1).step).isEqualTo(6);
        assertThat(heard(CheckpointEvent.PassedOver.class)).isEmpty();
        checkCopy(6);
    }

    @Test
    void whatTheCopyCannotGiveIsToldAndTheRunGoesOnFromAnOlderOne() throws IOException {
        trainCopied(options(), 6);
        flipABit(ofNewest(run, "segments"));
        flipABit(ofNewest(folder.resolve("copy"), "segments"));
        events.clear();
        assertThat(train(options(), 0).step).isEqualTo(5);
        assertThat(heard(CheckpointEvent.Fetched.class)).isEmpty();
        assertThat(heard(CheckpointEvent.CopyPassedOver.class)).hasSize(1);
    }

    @Test
    void aCopyThatCannotBeReadIsAskedOnceAndTheRunGoesOnFromAnOlderOne() throws IOException {
        trainCopied(options(), 6);
        flipABit(ofNewest(run, "segments"));
        var fails = new WatchedBlobStore(copy, operation -> {
            throw new IOException("no route to host");
        });
        events.clear();
        assertThat(train(alone().withCopy(fails, Duration.ZERO), 0).step).isEqualTo(5);
        assertThat(heard(CheckpointEvent.PassedOver.class))
                .singleElement()
                .satisfies(passed -> assertThat(passed.reason())
                        .hasMessageContaining("nor does the copy: ")
                        .hasMessageEndingWith("no route to host"));
        assertThat(heard(CheckpointEvent.Fetched.class)).isEmpty();
        assertThat(heard(CheckpointEvent.CopyFailed.class)).hasSizeLessThan(2);
    }

    @Test
    void aDamagedOneOfTheCopyIsToldWhenItIsPassedOver() throws IOException {
        trainCopied(options(), 6);
        loseTheRun();
        flipABit(ofNewest(folder.resolve("copy"), "segments"));
        events.clear();
        assertThat(train(options(), 0).step).isEqualTo(5);
        assertThat(heard(CheckpointEvent.CopyPassedOver.class)).hasSize(1);
    }
}
