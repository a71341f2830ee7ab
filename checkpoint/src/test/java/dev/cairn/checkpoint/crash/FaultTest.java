package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.crash.fault.FaultPlan;
import dev.cairn.checkpoint.crash.fault.FaultPlan.Fault;
import dev.cairn.checkpoint.crash.fault.FaultyFileSystem;
import dev.cairn.checkpoint.crash.fault.Unhurried;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.WriterClaim;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every file operation fails in turn, in every way. Each time all commits remain, the failure is reported, the
/// newest checkpoint is restored, and the next training saves and restores normally.
class FaultTest {
    private static final int WEIGHTS = 1500;
    private static final int LIVES = 3;
    private static final int LANES = 2;
    private static final String DIRECT_FROM = "cairn.directFrom";

    @TempDir
    Path folder;

    /// A few of the operations, different ones for each fault.
    @ParameterizedTest
    @EnumSource(Fault.class)
    void manyOperationsMayFail(Fault fault) throws Exception {
        int first = 1 + Math.floorMod(fault.name().hashCode(), 19);
        failInTurn(fault, "lossless", FaultPlan::onlyChanges, first, 19);
        failInTurn(fault, "lossless", UnaryOperator.identity(), 10 * first, 307);
    }

    /// Large segments bypass the system's cache. If that fails, the rest is written through the cache; if all
    /// fails, the failure is reported.
    @ParameterizedTest
    @EnumSource(Fault.class)
    void manyWritesPastTheCacheMayFail(Fault fault) throws Exception {
        int first = 1 + Math.floorMod(fault.name().hashCode(), 11);
        pastTheCache(() -> {
            failInTurn(fault, "lossless", plan -> plan.only("direct "), first, 11);
            failInTurn(fault, "lossless", FaultPlan::onlyChanges, 3 * first, 41);
        });
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("crash")
    void everyChangeMayFailPastTheCache(Fault fault) throws Exception {
        pastTheCache(() -> failInTurn(fault, "lossless", FaultPlan::onlyChanges, 1, 1));
    }

    private interface Trial {
        void run() throws Exception;
    }

    /// From the second block of a file on.
    private void pastTheCache(Trial trial) throws Exception {
        assumeTrue(takesDirectWrites(), "this file system has a cache only");
        System.setProperty(DIRECT_FROM, "4096");
        try {
            var counting = new FaultPlan(Fault.ERROR, Integer.MAX_VALUE).only("direct ");
            var run = new Run(plan("probe", "lossless"));
            run.tryToLive(FaultyFileSystem.over(run.plan.run(), counting), false);
            assertThat(counting.operations()).as("writes past the cache").isPositive();
            trial.run();
        } finally {
            System.clearProperty(DIRECT_FROM);
        }
    }

    /// Whether a file can be opened this way, tested without Cairn's own code.
    private boolean takesDirectWrites() throws Exception {
        Path probe = folder.resolve("direct");
        var direct = (OpenOption)
                Stream.of(Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                        .filter(option -> option.toString().equals("DIRECT"))
                        .findFirst()
                        .orElseThrow();
        try (var _ = FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE, direct)) {
            return true;
        } catch (IOException | UnsupportedOperationException refused) {
            return false;
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("crash")
    void everyOperationMayFail(Fault fault) throws Exception {
        failInTurn(fault, "lossless", UnaryOperator.identity(), 1, 1);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("crash")
    void everyChangeMayFailWithEveryCodec(Fault fault) throws Exception {
        for (String codec : List.of("lossy", "lc:3", "full")) {
            failInTurn(fault, codec, FaultPlan::onlyChanges, 1, 1);
        }
    }

    /// A disk that fails for hours must not be filled with files that could not be committed.
    @ParameterizedTest
    @ValueSource(strings = {"fsync segments", "link", "fsync log", "write"})
    void failuresThatStayLeaveNothingThatGrows(String operation) throws IOException {
        var run = new Run(plan(operation.replace(" ", "-"), "lossless"));
        var faults = new FaultPlan(Fault.DEAD, 1).only(operation);
        Path faulty = FaultyFileSystem.over(run.plan.run(), faults);
        for (int life = 1; life <= 10; life++) {
            run.tryToLive(faulty, life == 2);
        }
        assertThat(faults.operations()).as("failures, of saves too").isGreaterThan(10);
        run.audit.check(operation);
    }

    private void failInTurn(Fault fault, String codec, UnaryOperator<FaultPlan> counted, int first, int stride)
            throws Exception {
        String name = "%s-%s".formatted(codec.replace(":", ""), fault);
        FaultPlan counting = counted.apply(new FaultPlan(fault, Integer.MAX_VALUE));
        var undisturbed = new Run(plan(name, codec));
        assertThat(undisturbed.survives(counting, fault)).isFalse();
        if (codec.equals("full")) {
            assertThat(undisturbed.merges)
                    .as("merges, where there are no deltas")
                    .isZero();
        } else {
            assertThat(undisturbed.merges).as("merges with " + codec).isPositive();
        }
        assertThat(undisturbed.prunes).as("removals").isPositive();
        assertThat(counting.operations()).as("operations that may fail").isGreaterThan(30);
        undisturbed.remove();
        var runs = new ArrayList<Callable<Boolean>>();
        for (int at = first; at <= counting.operations(); at += stride) {
            int failAt = at;
            runs.add(() -> {
                var run = new Run(plan(name + "-" + failAt, codec));
                boolean failed = run.survives(counted.apply(new FaultPlan(fault, failAt)), fault);
                run.remove();
                return failed;
            });
        }
        int failed = 0;
        try (var lanes = Executors.newFixedThreadPool(LANES)) {
            for (Future<Boolean> run : lanes.invokeAll(runs)) {
                failed += run.get() ? 1 : 0;
            }
        }
        assertThat(failed).as("operations that failed").isGreaterThan(runs.size() * 9 / 10);
    }

    private CrashWorker.Plan plan(String name, String codec) {
        return new CrashWorker.Plan(
                folder.resolve(name), folder.resolve(name + ".journal"), codec, "latest:1", name.hashCode(), WEIGHTS);
    }

    /// A run of three processes on a disk with one fault, and one more process on a good disk.
    private static final class Run {
        private final CrashWorker.Plan plan;
        private final StoreAudit audit;
        private final CheckpointStore store;
        private final List<Throwable> failures = new ArrayList<>();
        private final List<Throwable> wrong = new ArrayList<>();
        private long newest;
        private int merges;
        private int prunes;

        Run(CrashWorker.Plan plan) {
            this.plan = plan;
            this.audit = new StoreAudit(plan);
            this.store = new CheckpointStore(new LocalBlobStore(plan.run()));
        }

        /// So that thousands of runs take no space.
        void remove() throws IOException {
            try (Stream<Path> files = Files.walk(plan.run())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
            Files.deleteIfExists(plan.journal());
        }

        /// Whether the fault occurred.
        boolean survives(FaultPlan faults, Fault fault) throws IOException {
            Path faulty = FaultyFileSystem.over(plan.run(), faults);
            for (int life = 1; life <= LIVES; life++) {
                tryToLive(faulty, life == 2);
            }
            String context = plan.codec() + ", " + fault + " of " + faults.failed();
            assertThat(failures)
                    .as("%s: there is no other writer", context)
                    .noneMatch(CommitConflictException.class::isInstance);
            if (faults.failed() != null && fault != Fault.SHORT && mustBeTold(faults.failed())) {
                assertThat(failures).as("%s is told", context).isNotEmpty();
            }
            assertThat(wrong).as(context).isEmpty();
            if (fault == Fault.SHORT) {
                assertThat(failures).as(context).isEmpty();
            }
            audit.check(context);
            failures.clear();
            live(FaultyFileSystem.over(plan.run(), new FaultPlan(fault, Integer.MAX_VALUE)), false);
            assertThat(failures).as("%s: the life after it", context).isEmpty();
            assertThat(wrong).as(context).isEmpty();
            audit.check(context);
            assertThat(audit.leftovers())
                    .as("%s: nothing is left over", context)
                    .isEmpty();
            return faults.failed() != null;
        }

        void tryToLive(Path run, boolean fresh) {
            try {
                live(run, fresh);
            } catch (IOException e) {
                failures.add(e);
            }
        }

        /// Restores, saves and ends. After a fresh start it saves often enough for merges and a removal, and the
        /// earlier checkpoints are removed.
        private void live(Path run, boolean fresh) throws IOException {
            var options = CheckpointOptions.defaults()
                    .withPolicy(new SavePolicy.EverySteps(1))
                    .withCodec(Codec.parse(plan.codec()))
                    .withLongestChain(1)
                    .withRetention(plan.retention())
                    .withClaim(WriterClaim.usual().withClock(new Unhurried()))
                    .withoutLog()
                    .withListener(this::heard);
            try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
                SyntheticState state = plan.state();
                if (fresh) {
                    startFresh(checkpoints);
                } else {
                    checkpoints.restoreLatest(state).ifPresent(checkpoint -> checkRestored(checkpoint, state));
                }
                int saves = fresh ? 6 : 3;
                for (int save = 1; save <= saves; save++) {
                    state.at(state.step() + 1);
                    if (save == saves) {
                        checkpoints.saveNow(state.step(), state);
                    } else {
                        checkpoints.afterStep(state.step(), state);
                    }
                    // One after the other, so that the n-th operation is the same each time.
                    checkpoints.awaitHousekeeping();
                }
            }
        }

        /// Retries on failure: nothing is saved into the existing run before this is done.
        private void startFresh(Checkpoints checkpoints) throws IOException {
            try {
                checkpoints.startFresh();
            } catch (IOException e) {
                failures.add(e);
                checkpoints.startFresh();
            }
        }

        /// The newest commit, or a newer one that exists although its save failed; never an older one.
        private void checkRestored(Checkpoint checkpoint, SyntheticState state) {
            boolean right = plan.isRight(state, checkpoint.step());
            if (!right || checkpoint.number() < newest) {
                wrong.add(new AssertionError(
                        "restored %d after %d, right=%b".formatted(checkpoint.number(), newest, right)));
            }
        }

        private void heard(CheckpointEvent event) {
            switch (event) {
                case CheckpointEvent.Committed committed -> note(committed.checkpoint());
                case CheckpointEvent.SaveFailed failed -> failures.add(failed.cause());
                case CheckpointEvent.PassedOver passed -> wrong.add(passed.reason());
                case CheckpointEvent.Healed healed -> wrong.add(healed.damage());
                case CheckpointEvent.Rewritten rewritten -> wrong.add(rewritten.damage());
                case CheckpointEvent.DamageFound(var damage) -> wrong.add(damage);
                case CheckpointEvent.ScrubFailed(Throwable cause) -> failures.add(cause);
                case CheckpointEvent.HousekeepingFailed failed -> failures.add(failed.cause());
                case CheckpointEvent.ChainInDoubt doubt -> failures.add(doubt.cause());
                case CheckpointEvent.SaveSkipped _, CheckpointEvent.Restored _, CheckpointEvent.TooCoarse _ -> {}
                case CheckpointEvent.Merged _ -> merges++;
                case CheckpointEvent.Pruned _ -> prunes++;
                case CheckpointEvent.SaveAborted _, CheckpointEvent.RestoredInPart _, CheckpointEvent.Forked _ -> {}
                case CheckpointEvent.Copied _,
                        CheckpointEvent.CopyFailed _,
                        CheckpointEvent.CopyAhead _,
                        CheckpointEvent.CopyPassedOver _,
                        CheckpointEvent.BestNotSaved _,
                        CheckpointEvent.Fetched _ -> {}
            }
        }

        private void note(Checkpoint checkpoint) {
            newest = checkpoint.number();
            try (Journal journal = Journal.append(plan.journal())) {
                journal.committed(
                        checkpoint, CrashWorker.digest(store, CrashWorker.newestForm(store, checkpoint), plan.state()));
            } catch (IOException e) {
                wrong.add(e);
            }
        }

        /// A failed write must be reported. Reads are retried. The text of the lock is for people only, and hard
        /// links are tested on a file without meaning.
        private static boolean mustBeTold(String operation) {
            return Stream.of("write ", "fsync ", "link ", "rename ", "mkdir ").anyMatch(operation::startsWith)
                    && !operation.equals("write writer.lock")
                    && !operation.startsWith("link .tmp-");
        }
    }
}
