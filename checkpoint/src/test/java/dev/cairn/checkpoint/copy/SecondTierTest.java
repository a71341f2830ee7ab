package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.SlowBlobStore;
import dev.cairn.checkpoint.WatchedBlobStore;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.writing.CheckpointWriter;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A run that is copied to other storage as it is saved.
class SecondTierTest extends CopiedRun {
    /// The run went on without its copy, and has pruned all that the copy has.
    @Test
    void aCopyThatWasLeftBehindIsNotAheadAndCatchesUp() throws IOException {
        trainPruned(options(), 3);
        trainPruned(alone(), 20);
        trainPruned(options(), 2);
        assertThat(heard(CheckpointEvent.CopyAhead.class)).isEmpty();
        checkCopy(25);
        List<Commit> own = CopyRound.checkpoints(new CheckpointStore(new LocalBlobStore(run)).history());
        assertThat(copied().stream().map(Commit::id))
                .as("what the run gave up goes, but for a few that are gathered first")
                .filteredOn(id -> own.stream().noneMatch(each -> each.id().equals(id)))
                .hasSizeLessThan(9);
    }

    @Test
    void theCopyIsARunOfItsOwnThatHasTheNewestAndIsPrunedAsTheRunIs() throws IOException {
        trainPruned(options(), 40);
        checkCopy(40);
        assertThat(copied()).hasSizeLessThan(12);
        assertThat(heard(CheckpointEvent.Copied.class).getLast().lag()).isEqualTo(CopyLag.NONE);
        assertThat(heard(CheckpointEvent.CopyFailed.class)).isEmpty();
        assertThat(new CheckpointStore(copy).leftovers()).isEmpty();
    }

    /// A run that lost its disk has nothing but the newest chain: what the copy has besides is the last of its kind.
    @Test
    void afterALostDiskTheCopyKeepsWhatRetentionKeepsOfIt() throws IOException {
        CheckpointOptions options =
                options().withCodec(new Codec.Full()).withRetention(Retention.parse("latest:2,every:5,best:1@score"));
        trainCopied(options, 18); // the best is that of step 7
        assertThat(copied()).extracting(Commit::step).contains(5L, 7L, 10L, 15L, 18L);
        loseTheRun();
        trainCopied(options, 12);
        assertThat(copied()).extracting(Commit::step).contains(5L, 7L, 10L, 15L, 20L, 25L, 30L);
        // Run and copy both gather some before they remove them.
        assertThat(copied()).extracting(Commit::step).as("and not all of it").hasSizeLessThan(18);
        checkCopy(30);
        trainCopied(options, 1);
        assertThat(copied()).extracting(Commit::step).contains(5L, 7L, 10L, 15L, 20L, 25L, 30L);
    }

    @Test
    void aRunThatBeginsAnewKeepsItsCopy() throws IOException {
        trainCopied(options(), 6);
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            checkpoints.startFresh();
            state.makeStep();
            checkpoints.afterStep(state.step, state);
        }
        train(options(), 1);
        assertThat(heard(CheckpointEvent.CopyFailed.class)).isEmpty();
        assertThat(copied()).extracting(Commit::step).contains(1L, 2L);
    }

    /// Few are left where they are until there are more, because every removal takes a record; not in a full copy.
    @Test
    void aFullCopyMakesRoom() throws IOException {
        trainCopied(options().withCodec(new Codec.Full()).withRetention(Retention.parse("all")), 4);
        var here = new CheckpointStore(new LocalBlobStore(run));
        var there = new CheckpointStore(copy);
        Retention newest = Retention.parse("latest:1");
        try (WriterRight right = WriterRight.take(run, WriterClaim.usual());
                WriterRight ofCopy = WriterRight.take(copy, WriterClaim.usual())) {
            Commit kept = CopyRound.checkpoints(here.history()).getLast();
            CheckpointWriter.open(here, right).prune(Set.of(kept.number()), Instant.EPOCH);
            var round = new CopyRound(here, there, CheckpointWriter.open(there, ofCopy));
            round.prune(Set.of(), newest, Instant.EPOCH);
            assertThat(copied()).as("few are worth no record").hasSize(4);
            round.makeRoom(Set.of(), newest, Instant.EPOCH);
            assertThat(copied()).extracting(Commit::step).containsExactly(4L);
        }
    }

    /// Looked at before every change, the copy is whole and restores what it said it had.
    @Test
    void theCopyIsWholeAtEveryInstant() throws IOException {
        BlobStore plain = copy;
        var looks = new int[1];
        var wrong = new CopyOnWriteArrayList<Throwable>();
        copy = new WatchedBlobStore(plain, operation -> {
            if (operation.startsWith("read") || operation.startsWith("list")) {
                return;
            }
            looks[0]++;
            try {
                var store = new CheckpointStore(plain);
                assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                                .damaged())
                        .as(operation)
                        .isEmpty();
                var state = new CountingState();
                new Restorer(store, _ -> {}).restore(new Selector.Latest(), state, Matching.WHOLE);
                assertThat(state.isAt(state.step)).as(operation).isTrue();
                List<CheckpointEvent.Copied> told = heard(CheckpointEvent.Copied.class);
                assertThat(state.step)
                        .as(operation)
                        .isGreaterThanOrEqualTo(
                                told.isEmpty() ? 0 : told.getLast().checkpoint().step());
            } catch (IOException | AssertionError e) {
                wrong.add(e);
            }
        });
        for (int start = 0; start < 6; start++) {
            train(options(), 4);
        }
        assertThat(wrong).isEmpty();
        assertThat(looks[0]).isGreaterThan(6 * 3);
        checkCopy(24);
    }

    @Test
    void theNewestGoesFirstAndWhatItOvertookIsNotMadeUpFor() throws Exception {
        var slow = new SlowBlobStore(folder.resolve("copy"));
        copy = slow;
        slow.hang(SlowBlobStore.Operation.APPEND);
        var state = new CountingState();
        CheckpointOptions options = options().withCodec(new Codec.Full()).withRetention(Retention.parse("all"));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int i = 0; i < 9; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
                if (i == 0) {
                    slow.awaitHanging();
                }
            }
            CopyLag lag = checkpoints.copyLag().orElseThrow();
            assertThat(lag.checkpoints()).isEqualTo(9);
            assertThat(lag.steps()).hasValue(9);
            assertThat(lag.time()).isPositive();
            slow.release();
        }
        assertThat(copied()).extracting(Commit::step).containsExactly(1L, 9L);
        checkCopy(9);
    }

    @Test
    void aCopyThatFailsIsToldOnceAndTriedAgainAndHoldsNothingUp() throws IOException {
        var broken = new AtomicBoolean(true);
        copy = new WatchedBlobStore(copy, operation -> {
            if (broken.get() && operation.startsWith("finish")) {
                throw new IOException("no network");
            }
        });
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            for (int i = 0; i < 6; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
            }
            assertThat(checkpoints.statistics().failed()).isZero();
            Eventually.holds(
                    "a copy fails",
                    () -> !heard(CheckpointEvent.CopyFailed.class).isEmpty());
            broken.set(false);
        }
        assertThat(heard(CheckpointEvent.CopyFailed.class)).hasSize(1);
        checkCopy(6);
        assertThat(new CheckpointStore(copy).leftovers()).isEmpty();
    }

    /// Each operation of the last copy fails once.
    @Test
    void aPassingFaultOfTheLastCopyIsMadeUpFor() throws IOException {
        BlobStore plain = copy;
        train(options(), 3);
        int faults = 0;
        for (int failing = 1; faults == failing - 1; failing++) {
            var operations = new AtomicInteger();
            int chosen = failing;
            copy = new WatchedBlobStore(plain, operation -> {
                // Who gives a lease back in vain makes the next one wait for its end: another test's matter.
                if (!operation.contains("lease") && operations.incrementAndGet() == chosen) {
                    throw new IOException("a passing fault at " + operation);
                }
            });
            long step = train(options(), 1).step;
            faults += operations.get() >= chosen ? 1 : 0;
            copy = plain;
            assertThat(copied().getLast().step()).as("operation %d", failing).isEqualTo(step);
            checkCopy(step);
        }
        assertThat(faults).isGreaterThan(5);
    }

    @Test
    void aCopyThatIsNeverReachedIsNotWaitedForLongAndNobodySaysWhatItHas() throws IOException {
        copy = new WatchedBlobStore(copy, operation -> {
            throw new StorageUnavailableException("storage unavailable: nobody answers", new IOException());
        });
        CopyLag lag;
        long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
        CheckpointOptions hurried = options().withTimeLeft(() -> Duration.ofNanos(end - System.nanoTime()));
        try (Checkpoints checkpoints = Checkpoints.open(run, hurried)) {
            var state = new CountingState();
            state.makeStep();
            checkpoints.saveNow(1, state);
            Eventually.holds(
                    "a copy fails",
                    () -> !heard(CheckpointEvent.CopyFailed.class).isEmpty());
            lag = checkpoints.copyLag().orElseThrow();
        }
        assertThat(lag.reachable()).isFalse();
        assertThat(lag.steps()).isEmpty();
        assertThat(lag.checkpoints()).isEqualTo(1);
        assertThat(heard(CheckpointEvent.CopyFailed.class)).hasSize(1);
    }

    @Test
    void closingDoesNotWaitForACopyThatHangs() throws Exception {
        var slow = new SlowBlobStore(folder.resolve("copy"));
        copy = slow;
        slow.hang(SlowBlobStore.Operation.APPEND);
        CopyLag lag;
        try (Checkpoints checkpoints = Checkpoints.open(run, alone().withCopy(copy, Duration.ofMillis(100)))) {
            var state = new CountingState();
            state.makeStep();
            checkpoints.saveNow(1, state);
            slow.awaitHanging();
            lag = checkpoints.copyLag().orElseThrow();
        }
        assertThat(lag.steps()).hasValue(1);
        slow.release();
        train(options(), 0);
        checkCopy(1);
    }

    @Test
    void newerOnesInTheCopyAreToldAndStay() throws IOException {
        train(options().withRetention(Retention.parse("all")), 3);
        Path older = folder.resolve("older");
        copyFolder(run, older);
        train(options().withRetention(Retention.parse("all")), 9);
        loseTheRun();
        copyFolder(older, run);
        assertThat(train(options(), 8).step).isEqualTo(11);
        assertThat(heard(CheckpointEvent.CopyAhead.class))
                .singleElement()
                .satisfies(ahead -> assertThat(ahead.newest().step()).isEqualTo(12));
        assertThat(copied()).extracting(Commit::step).contains(12L);
        checkCopy(11);
    }
}
