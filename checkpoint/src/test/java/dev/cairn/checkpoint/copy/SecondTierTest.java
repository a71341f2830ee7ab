package dev.cairn.checkpoint.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.NothingToRestoreException;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Selector;
import dev.cairn.checkpoint.SlowBlobStore;
import dev.cairn.checkpoint.WatchedBlobStore;
import dev.cairn.checkpoint.restore.Restorer;
import dev.cairn.store.Damage;
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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run that is copied to other storage as it is saved.
class SecondTierTest {
    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new CopyOnWriteArrayList<>();
    private Path run;
    private BlobStore copy;

    @BeforeEach
    void makeFolders() throws IOException {
        run = folder.resolve("run");
        Files.createDirectory(folder.resolve("copy"));
        copy = new LocalBlobStore(folder.resolve("copy"));
    }

    private CheckpointOptions options() {
        return alone().withCopy(copy);
    }

    /// Without a copy.
    private CheckpointOptions alone() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(2)
                .withRetention(Retention.parse("latest:2"))
                .withoutLog()
                .withListener(events::add);
    }

    /// Restores and makes so many steps more.
    private CountingState train(CheckpointOptions options, int steps) throws IOException {
        return train(options, steps, _ -> {});
    }

    /// The same; each step gets into the copy before the next is made.
    private void trainCopied(CheckpointOptions options, int steps) throws IOException {
        train(options, steps, checkpoints -> {
            keepHouse(checkpoints);
            Eventually.holds(
                    "all is copied", () -> checkpoints.copyLag().orElseThrow().isNone());
        });
    }

    /// The same; what a step leaves to be merged and removed is done before the next is made.
    private void trainPruned(CheckpointOptions options, int steps) throws IOException {
        train(options, steps, SecondTierTest::keepHouse);
    }

    private static void keepHouse(Checkpoints checkpoints) {
        try {
            checkpoints.awaitHousekeeping();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CountingState train(CheckpointOptions options, int steps, Consumer<Checkpoints> afterEach)
            throws IOException {
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

    private void loseTheRun() throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private List<Commit> copied() throws IOException {
        return CopyRound.checkpoints(new CheckpointStore(copy).history());
    }

    private <E extends CheckpointEvent> List<E> heard(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

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

    /// Whether the copy alone is a run whose newest checkpoint can be restored.
    private void checkCopy(long step) throws IOException {
        var store = new CheckpointStore(copy);
        assertThat(StoreVerifier.verify(store, StoreVerifier.Depth.FULL, _ -> {})
                        .damaged())
                .isEmpty();
        var state = new CountingState();
        new Restorer(store, _ -> {}).restore(new Selector.Latest(), state, Matching.WHOLE);
        assertThat(state.isAt(step)).as("step %d", step).isTrue();
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

    /// The file of the newest checkpoint in this part of a run. A merge may have given an older one a newer file.
    private static Path ofNewest(Path folder, String part) throws IOException {
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

    private static void flipABit(Path file) throws IOException {
        if (file.toString().endsWith(".seg")) {
            Damage.inTheMiddle(file);
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
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

    private static void copyFolder(Path from, Path to) throws IOException {
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
