package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.WalkingState;
import dev.cairn.checkpoint.crash.fault.FaultPlan;
import dev.cairn.checkpoint.crash.fault.FaultPlan.Fault;
import dev.cairn.checkpoint.crash.fault.FaultyFileSystem;
import dev.cairn.checkpoint.crash.fault.Unhurried;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.Depth;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A training opens a run with damaged records and rewrites them, and every file operation fails in turn, in every way.
/// Nothing is lost: the next start goes on from the newest checkpoint, bit for bit, and leaves the run whole.
class HealingFaultTest {
    private static final int SAVES = 3;

    @TempDir
    Path folder;

    private Path damaged = Path.of("");
    private String newest = "";

    @BeforeEach
    void trainAndDamage() throws IOException {
        damaged = folder.resolve("damaged");
        var state = new WalkingState();
        try (Checkpoints checkpoints = open(damaged, new ArrayList<>())) {
            checkpoints.restoreLatest(state);
            for (int save = 1; save <= SAVES; save++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitHousekeeping();
            }
        }
        newest = state.digest();
        Files.delete(damaged.resolve("log/0000000001.rec"));
        Files.write(damaged.resolve("log/0000000003.rec"), new byte[100]);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"LATE", "DEAD"})
    void someChangesMayFail(Fault fault) throws IOException {
        failInTurn(fault, FaultPlan::onlyChanges, 4);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("crash")
    void everyOperationMayFail(Fault fault) throws IOException {
        failInTurn(fault, UnaryOperator.identity(), 1);
    }

    private void failInTurn(Fault fault, UnaryOperator<FaultPlan> counted, int stride) throws IOException {
        int failed = 0;
        for (int at = 1; ; at += stride) {
            Path run = copy(folder.resolve(fault + "-" + at));
            FaultPlan plan = counted.apply(new FaultPlan(fault, at));
            String what = fault + " at " + at;
            try {
                assertThat(start(FaultyFileSystem.over(run, plan), new ArrayList<>()))
                        .as(what)
                        .isEqualTo(newest);
            } catch (IOException told) {
                assertThat(plan.failed()).as("%s: %s", what, told).isNotNull();
            }
            if (plan.failed() == null) {
                break;
            }
            failed++;
            var events = new ArrayList<CheckpointEvent>();
            assertThat(start(run, events)).as("%s, the start after it", what).isEqualTo(newest);
            assertThat(events)
                    .as("%s: what was not rewritten yet", what)
                    .allMatch(event ->
                            event instanceof CheckpointEvent.Healed || event instanceof CheckpointEvent.Restored);
            var store = new CheckpointStore(new LocalBlobStore(run));
            assertThat(StoreVerifier.verify(store, Depth.FULL, _ -> {}).damaged())
                    .as(what)
                    .isEmpty();
            assertThat(store.leftovers()).as(what).isEmpty();
        }
        assertThat(failed).as("operations that failed").isGreaterThan(10 / stride);
    }

    /// The digest of the state that was restored.
    private static String start(Path run, List<CheckpointEvent> events) throws IOException {
        var state = new WalkingState();
        try (Checkpoints checkpoints = open(run, events)) {
            assertThat(checkpoints.restoreLatest(state)).isPresent();
        }
        return state.digest();
    }

    private static Checkpoints open(Path run, List<CheckpointEvent> events) throws IOException {
        return Checkpoints.open(
                run,
                CheckpointOptions.defaults()
                        .withPolicy(new SavePolicy.EverySteps(1))
                        .withClaim(WriterClaim.usual().withClock(new Unhurried()))
                        .withoutLog()
                        .withListener(events::add));
    }

    private Path copy(Path to) throws IOException {
        try (Stream<Path> files = Files.walk(damaged)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(damaged.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        return to;
    }
}
