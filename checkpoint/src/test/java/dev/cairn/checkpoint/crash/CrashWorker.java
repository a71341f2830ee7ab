package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/// A process to be killed: trains a [SyntheticState] until then, saving as fast as it can, and looks at every state
/// that it restores. Loads no engine. Ends by itself only where something is wrong, with a line that says what.
final class CrashWorker {
    /// What it does again and again, drawn at random: an action that is to be drawn more often stands more often.
    private final List<Action> actions =
            List.of(this::save, this::save, this::save, this::saveExactly, this::restore, this::awaitHousekeeping);

    /// Short, so that merges come often.
    private static final int LONGEST_CHAIN = 1;

    /// Short, so that files are read while they are merged and removed.
    private static final Duration SCRUB_PERIOD = Duration.ofMillis(300);

    private static final long SCRUB_BYTES_PER_SECOND = 20_000_000;

    private final CheckpointStore store;
    private final Checkpoints checkpoints;
    private final Journal journal;
    private final Plan plan;
    private final SyntheticState state;

    private interface Action {
        void run() throws IOException;
    }

    /// What a worker is told.
    ///
    /// @param codec as users name it
    /// @param keep its retention, as users name it
    /// @param seed decides the state
    /// @param count see [SyntheticState]
    record Plan(Path run, Path journal, String codec, String keep, long seed, int count) {
        List<String> asArguments() {
            return List.of(
                    run.toString(), journal.toString(), codec, keep, Long.toString(seed), Integer.toString(count));
        }

        static Plan of(String[] arguments) {
            return new Plan(
                    Path.of(arguments[0]),
                    Path.of(arguments[1]),
                    arguments[2],
                    arguments[3],
                    Long.parseLong(arguments[4]),
                    Integer.parseInt(arguments[5]));
        }

        Retention retention() {
            return Retention.parse(keep);
        }

        /// Whether this is what its step says, as exactly as the codec has it.
        boolean isRight(SyntheticState state, long step) {
            return Codec.parse(codec).isLossy() ? state.isNear(step) : state.isExactlyAt(step);
        }

        SyntheticState state() {
            return new SyntheticState(seed, count);
        }
    }

    private CrashWorker(Plan plan) throws IOException {
        this.plan = plan;
        this.state = plan.state();
        this.store = new CheckpointStore(new LocalBlobStore(plan.run()));
        this.journal = Journal.append(plan.journal());
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withCodec(Codec.parse(plan.codec()))
                .withLongestChain(LONGEST_CHAIN)
                .withRetention(plan.retention())
                .withScrubbing(new Scrubbing.Every(SCRUB_PERIOD, SCRUB_BYTES_PER_SECOND))
                .withoutLog()
                .withListener(this::heard);
        var local = new LocalBlobStore(plan.run(), options.environment().claim().clock());
        local.createFolder();
        this.checkpoints = Checkpoints.open(
                new NotedMerges(local),
                WriterRight.take(plan.run(), options.environment().claim()),
                options);
    }

    /// Notes which segments are begun for a merge: by the thread that begins them.
    private final class NotedMerges extends ForwardingBlobStore {
        NotedMerges(BlobStore below) {
            super(below);
        }

        @Override
        public BlobWriter write(String name) throws IOException {
            SegmentName segment = SegmentName.parse(name);
            if (segment != null && Thread.currentThread().getName().equals("cairn-housekeeping")) {
                journal.merging(segment);
            }
            return super.write(name);
        }
    }

    // Unending on purpose: the process is killed.
    @SuppressWarnings("InfiniteLoopStatement")
    public static void main(String[] arguments) throws IOException {
        var worker = new CrashWorker(Plan.of(arguments));
        worker.restore();
        var random = new Random();
        while (true) {
            worker.actions.get(random.nextInt(worker.actions.size())).run();
        }
    }

    private void save() throws IOException {
        state.at(state.step() + 1);
        checkpoints.afterStep(state.step(), state);
    }

    private void saveExactly() throws IOException {
        state.at(state.step() + 1);
        checkpoints.saveNow(state.step(), state);
    }

    /// Goes back to the newest checkpoint, and sees that it is what its step says.
    private void restore() throws IOException {
        checkpoints.awaitSave();
        System.out.println(WorkerProcess.RESTORING);
        checkpoints.restoreLatest(state).ifPresent(checkpoint -> {
            if (!plan.isRight(state, checkpoint.step())) {
                throw new IllegalStateException("wrong bits restored: number=" + checkpoint.number());
            }
        });
        System.out.println("restored " + state.step());
    }

    private void awaitHousekeeping() throws IOException {
        checkpoints.awaitHousekeeping();
    }

    private void heard(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.Committed committed -> note(committed.checkpoint());
            case CheckpointEvent.SaveFailed(long step, Throwable cause) ->
                throw halt("save of step " + step + " failed", cause);
            case CheckpointEvent.PassedOver(long number, var _, var reason) ->
                throw halt("checkpoint " + number + " passed over", reason);
            case CheckpointEvent.Healed healed -> throw halt("a kill damaged a file", healed.damage());
            case CheckpointEvent.Rewritten rewritten -> throw halt("a kill damaged a file", rewritten.damage());
            case CheckpointEvent.DamageFound(var damage) -> throw halt("a kill damaged a file", damage);
            case CheckpointEvent.ScrubFailed(Throwable cause) -> throw halt("scrubbing failed", cause);
            case CheckpointEvent.HousekeepingFailed(long step, Throwable cause) ->
                throw halt("housekeeping after step " + step + " failed", cause);
            case CheckpointEvent.ChainInDoubt(var newest, Throwable cause) ->
                throw halt("checkpoint " + newest.number() + " in doubt", cause);
            case CheckpointEvent.SaveSkipped _, CheckpointEvent.Restored _, CheckpointEvent.TooCoarse _ -> {}
            case CheckpointEvent.Merged merged ->
                System.out.println("merged " + merged.checkpoint().step());
            case CheckpointEvent.Pruned pruned ->
                System.out.println("pruned " + pruned.checkpoints().size());
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
        try {
            journal.committed(checkpoint, digest(store, newestForm(store, checkpoint), plan.state()));
            System.out.println("committed " + checkpoint.step());
        } catch (IOException e) {
            throw halt("what was just committed cannot be read", new UncheckedIOException(e));
        }
    }

    /// The record of this checkpoint as it is now: it may have been merged.
    static Commit newestForm(CheckpointStore store, Checkpoint checkpoint) throws IOException {
        return store.history().find(checkpoint.id()).orElseThrow();
    }

    /// What a reader of this checkpoint holds.
    ///
    /// @param target takes its values
    static String digest(CheckpointStore store, Commit checkpoint, SyntheticState target) throws IOException {
        try (CheckpointReader reader = store.open(checkpoint)) {
            for (TensorRef tensor : reader.manifest().tensors()) {
                reader.read(tensor.spec(), target.memory(tensor.spec()));
            }
        }
        target.restored(checkpoint.step(), checkpoint.attributes());
        return target.digest();
    }

    /// Ends the process whatever thread this is.
    private static IllegalStateException halt(String what, Throwable cause) {
        System.out.println("WRONG: " + what + ": " + cause);
        Runtime.getRuntime().halt(1);
        return new IllegalStateException(what, cause);
    }
}
