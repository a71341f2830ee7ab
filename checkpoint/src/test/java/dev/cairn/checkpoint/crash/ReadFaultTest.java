package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.crash.fault.FaultPlan;
import dev.cairn.checkpoint.crash.fault.FaultPlan.Fault;
import dev.cairn.checkpoint.crash.fault.FaultyFileSystem;
import dev.cairn.checkpoint.crash.fault.Unhurried;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.QuickCheck;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.Repair;
import dev.cairn.store.repair.RepairPlan;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads of every kind fail, at every place and for every reason in turn. If the fault is temporary, everything
/// continues normally. If it stays, every reader reports that the storage is unavailable. No reader treats it as
/// damage, goes back to an older checkpoint, or removes anything because of it.
class ReadFaultTest {
    private static final int WEIGHTS = 1500;
    private static final int CHECKPOINTS = 6;
    private static final int SAMPLE = 10;

    @TempDir
    Path folder;

    private final List<CheckpointEvent> events = new ArrayList<>();
    private Path run = Path.of("");
    private Map<String, Long> files = Map.of();

    @BeforeEach
    void train() throws IOException {
        run = folder.resolve("run");
        try (Checkpoints checkpoints = Checkpoints.open(run, options())) {
            SyntheticState state = state();
            for (int step = 1; step <= CHECKPOINTS; step++) {
                state.at(step);
                checkpoints.afterStep(step, state);
                checkpoints.awaitSave();
            }
        }
        files = files();
        assertThat(store(run).currentEntries()).hasSize(CHECKPOINTS);
    }

    private CheckpointOptions options() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withLongestChain(0)
                .withRetention(Retention.parse("latest:" + CHECKPOINTS))
                .withClaim(WriterClaim.usual().withClock(new Unhurried()))
                .withoutLog()
                .withListener(events::add);
    }

    private static SyntheticState state() {
        return new SyntheticState(7, WEIGHTS);
    }

    private static CheckpointStore store(Path at) {
        return new CheckpointStore(new LocalBlobStore(at, new Unhurried()));
    }

    private Map<String, Long> files() throws IOException {
        var found = new TreeMap<String, Long>();
        try (Stream<Path> all = Files.walk(run)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                found.put(run.relativize(file).toString(), Files.size(file));
            }
        }
        found.remove("writer.lock");
        return found;
    }

    /// Reads a run, and returns whether everything is correct.
    private interface Reader {
        boolean isRight(Path run) throws IOException;
    }

    /// Reads with this plan. Faults of the lock file are reported by the lock.
    private static boolean isRight(Reader reader, Path run, FaultPlan plan) throws IOException {
        try {
            return reader.isRight(FaultyFileSystem.over(run, plan));
        } catch (IOException e) {
            if (String.valueOf(plan.failed()).endsWith(" writer.lock") && !(e instanceof StoreException)) {
                return true;
            }
            throw e;
        }
    }

    private boolean restores(Path at) throws IOException {
        SyntheticState state = state();
        try (Checkpoints checkpoints = Checkpoints.open(at, options())) {
            Checkpoint restored = checkpoints.restoreLatest(state).orElseThrow();
            return restored.step() == CHECKPOINTS && state.isExactlyAt(CHECKPOINTS);
        }
    }

    private boolean fetchesNothing(Path at) throws IOException {
        var copy = new LocalBlobStore(folder.resolve("copy"), new Unhurried());
        try (Checkpoints checkpoints = Checkpoints.open(at, options().withCopy(copy))) {
            return checkpoints.fetchCopy().isEmpty();
        }
    }

    private static boolean prunesNothing(Path at) throws IOException {
        return CheckpointWriter.open(store(at), () -> {})
                .prune(Retention.parse("latest:" + CHECKPOINTS), 1, Instant.EPOCH)
                .isEmpty();
    }

    private static boolean needsNoRepair(Path at) throws IOException {
        RepairPlan plan = Repair.run(store(at), () -> {}, Instant.EPOCH).plan();
        return plan.isNothing() && plan.remaining() == CHECKPOINTS;
    }

    private static boolean verifies(Path at) throws IOException {
        StoreVerifier.Report report = StoreVerifier.verify(store(at), Depth.FULL, _ -> {});
        return report.ok()
                && report.checkpoints() == CHECKPOINTS
                && report.leftovers().isEmpty();
    }

    private static boolean looksGood(Path at) throws IOException {
        CheckpointStore store = store(at);
        Map<Long, QuickCheck.Status> found = QuickCheck.of(store, store.history(), QuickCheck.Limits.USUAL);
        return found.size() == CHECKPOINTS && found.values().stream().allMatch(QuickCheck.Status.GOOD::equals);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "read", "size", "list", "stat"})
    void anErrorThatPassesIsNoDamage(String kind) throws IOException {
        failForAMoment(kind, SAMPLE);
    }

    @Tag("crash")
    @ParameterizedTest
    @ValueSource(strings = {"open", "read", "size", "list", "stat"})
    void anErrorThatPassesAnywhereIsNoDamage(String kind) throws IOException {
        failForAMoment(kind, Integer.MAX_VALUE);
    }

    /// @param places the number of places, spread over all places
    private void failForAMoment(String kind, int places) throws IOException {
        for (Reader reader : readers()) {
            FaultPlan counting = new FaultPlan(Fault.ERROR, Integer.MAX_VALUE).only(kind + " ");
            assertThat(reader.isRight(FaultyFileSystem.over(run, counting))).isTrue();
            int stride = Math.max(1, counting.operations() / places);
            for (int at = 1; at <= counting.operations(); at += stride) {
                for (Fault fault : List.of(Fault.ERROR, Fault.BURST)) {
                    String reason = reason(at / stride);
                    FaultPlan plan = new FaultPlan(fault, at).only(kind + " ").because(reason);
                    boolean right = isRight(reader, run, plan);
                    String context = "%s %s: %s".formatted(fault, plan.failed(), reason);
                    assertThat(right).as(context).isTrue();
                    checkNothingHappened(context);
                }
            }
        }
    }

    /// The reasons in turn, one for each place.
    private static String reason(int place) {
        return FaultPlan.PASSING_REASONS.get(place % FaultPlan.PASSING_REASONS.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "read", "size", "list", "stat"})
    void anErrorThatStaysIsToldAsAnOutage(String kind) throws IOException {
        failForGood(kind, SAMPLE);
    }

    @Tag("crash")
    @ParameterizedTest
    @ValueSource(strings = {"open", "read", "size", "list", "stat"})
    void anErrorThatStaysIsToldAsAnOutageWhereverItBegins(String kind) throws IOException {
        failForGood(kind, Integer.MAX_VALUE);
    }

    private void failForGood(String kind, int places) throws IOException {
        for (Reader reader : readers()) {
            FaultPlan counting = new FaultPlan(Fault.DEAD, Integer.MAX_VALUE).only(kind + " ");
            assertThat(reader.isRight(FaultyFileSystem.over(run, counting))).isTrue();
            int stride = Math.max(1, counting.operations() / places);
            for (int at = 1; at <= counting.operations(); at += stride) {
                String reason = reason(at / stride);
                FaultPlan plan = new FaultPlan(Fault.DEAD, at).only(kind + " ").because(reason);
                try {
                    // The result may be right if the failed read was not needed for it.
                    boolean right = reader.isRight(FaultyFileSystem.over(run, plan));
                    assertThat(right).as("dead from %s on", plan.failed()).isTrue();
                } catch (IOException e) {
                    assertThat(e).as("dead from %s on", plan.failed()).isNotInstanceOf(StoreException.class);
                    assertThat(e).hasMessageContaining(reason);
                }
                checkNothingHappened("dead from " + plan.failed());
            }
        }
    }

    /// Everything that is read if a segment cannot be read: one file, permanently, as on a disk with a bad sector.
    @ParameterizedTest
    @CsvSource({
        "Input/output error, check the disk or the network",
        "Too many open files, raise the limit on open files",
        "Stale file handle, check the disk or the network",
        "Cannot allocate memory, free some memory"
    })
    void aFileThatCannotBeReadIsNotPassedOverForAnOlderOne(String reason, String cure) {
        var plan = new FaultPlan(Fault.DEAD, 1).only("read 0000000006-").because(reason);
        Path faulty = FaultyFileSystem.over(run, plan);
        for (Reader reader : List.<Reader>of(
                this::restores, ReadFaultTest::verifies, ReadFaultTest::needsNoRepair, ReadFaultTest::looksGood)) {
            assertThatThrownBy(() -> reader.isRight(faulty))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("tried 8 times")
                    .hasMessageContaining(cure);
        }
        assertThat(events).noneMatch(CheckpointEvent.PassedOver.class::isInstance);
    }

    @Test
    void whoIsInterruptedHearsThatAndNothingOfDamage() throws IOException {
        try {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> StoreVerifier.verify(store(run), Depth.FULL, _ -> {}))
                    .isInstanceOf(InterruptedIOException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(verifies(run)).isTrue();
    }

    private List<Reader> readers() {
        return List.of(
                this::restores,
                this::fetchesNothing,
                ReadFaultTest::prunesNothing,
                ReadFaultTest::needsNoRepair,
                ReadFaultTest::verifies,
                ReadFaultTest::looksGood);
    }

    private void checkNothingHappened(String context) throws IOException {
        assertThat(files()).as(context).isEqualTo(files);
        assertThat(events).as(context).noneMatch(CheckpointEvent.PassedOver.class::isInstance);
    }
}
