package dev.cairn.checkpoint;

import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(
        SavePolicy policy,
        Codec codec,
        int longestChain,
        Retention retention,
        CaptureMode capture,
        int saveThreads,
        long writeLimit,
        List<CheckpointEvent.Listener> listeners,
        Clock time,
        WriterClaim claim,
        Optional<BlobStore> copy,
        Duration copyPatience,
        Supplier<Duration> timeLeft) {
    /// The attribute in which every checkpoint has what the run keeps, as [Retention#text] has it.
    public static final String KEEP = "cairn.keep";

    /// A [#writeLimit] that limits nothing.
    public static final long NO_WRITE_LIMIT = Long.MAX_VALUE;

    /// Restoring reads a chain from its base on: it is kept short. See `docs/adr/0008-chains.md`.
    private static final int USUAL_CHAIN = 8;

    /// Two reach most of a memory's bandwidth, and encode faster than most disks write; more would take cores from the
    /// training for little.
    private static final int USUAL_SAVE_THREADS = 2;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /// For the last checkpoint to get into the copy when the run is closed.
    private static final Duration USUAL_COPY_PATIENCE = Duration.ofSeconds(60);

    public CheckpointOptions {
        listeners = List.copyOf(listeners);
        if (longestChain < 0) {
            throw new IllegalArgumentException("a chain has no negative length: longestChain=" + longestChain);
        }
        if (saveThreads < 1) {
            throw new IllegalArgumentException("a save needs a thread: saveThreads=" + saveThreads);
        }
        if (writeLimit < 1) {
            throw new IllegalArgumentException(
                    "nothing can be written at that speed: writeLimit=" + writeLimit + " bytes a second");
        }
    }

    /// Saves as often as loses the least time, bit for bit, keeps what [Retention#usual] says and tells
    /// `System.Logger` what happens.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                SavePolicy.automatic(),
                new Codec.Lossless(),
                USUAL_CHAIN,
                Retention.usual(),
                CaptureMode.COPY,
                USUAL_SAVE_THREADS,
                NO_WRITE_LIMIT,
                List.of(new LoggingListener()),
                Clock.system(),
                WriterClaim.usual(),
                Optional.empty(),
                USUAL_COPY_PATIENCE,
                () -> FOREVER);
    }

    /// When to save.
    public CheckpointOptions withPolicy(SavePolicy policy) {
        return changed(draft -> draft.policy = policy);
    }

    /// How checkpoints are encoded.
    public CheckpointOptions withCodec(Codec codec) {
        return changed(draft -> draft.codec = codec);
    }

    /// How many deltas a reader may have to apply; longer chains are merged. 0: every checkpoint stands alone.
    public CheckpointOptions withLongestChain(int deltas) {
        return changed(draft -> draft.longestChain = deltas);
    }

    /// Which checkpoints stay.
    public CheckpointOptions withRetention(Retention retention) {
        return changed(draft -> draft.retention = retention);
    }

    /// How the state is taken from the training.
    public CheckpointOptions withCapture(CaptureMode mode) {
        return changed(draft -> draft.capture = mode);
    }

    /// How many threads at a time copy the state, encode it, and merge; a copy never has more than the machine has
    /// cores.
    public CheckpointOptions withSaveThreads(int threads) {
        return changed(draft -> draft.saveThreads = threads);
    }

    /// How many bytes a second saves and merges may write beside the training, so that it keeps its disk or network. A
    /// save that somebody waits for, such as the last one, is not held up.
    public CheckpointOptions withWriteLimit(long bytesPerSecond) {
        return changed(draft -> draft.writeLimit = bytesPerSecond);
    }

    /// One more who hears of events, after the log and those before.
    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        var more = new ArrayList<>(listeners);
        more.add(listener);
        return changed(draft -> draft.listeners = more);
    }

    /// Without the log: for a program that tells people itself.
    public CheckpointOptions withoutLog() {
        var others = new ArrayList<>(listeners);
        others.removeIf(LoggingListener.class::isInstance);
        return changed(draft -> draft.listeners = others);
    }

    /// The clocks, for tests.
    public CheckpointOptions withTime(Clock time) {
        return changed(draft -> draft.time = time);
    }

    /// How to get the right to write into the run, and how long to wait for it.
    public CheckpointOptions withClaim(WriterClaim claim) {
        return changed(draft -> draft.claim = claim);
    }

    /// Copies the run's checkpoints to this storage too, beside the training, the newest first. Where the run's own is
    /// lost, [Checkpoints#fetchCopy] brings the newest back.
    public CheckpointOptions withCopy(BlobStore copy) {
        return changed(draft -> draft.copy = Optional.of(copy));
    }

    /// How long closing the run waits for the last checkpoint to be copied.
    public CheckpointOptions withCopyPatience(Duration patience) {
        return changed(draft -> draft.copyPatience = patience);
    }

    /// How long the run may still go on, where a deadline is known: a save that would be in the way of the last one is
    /// not begun.
    public CheckpointOptions withTimeLeft(Supplier<Duration> timeLeft) {
        return changed(draft -> draft.timeLeft = timeLeft);
    }

    private CheckpointOptions changed(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /// Options while one of them is changed.
    private static final class Draft {
        private SavePolicy policy;
        private Codec codec;
        private int longestChain;
        private Retention retention;
        private CaptureMode capture;
        private int saveThreads;
        private long writeLimit;
        private List<CheckpointEvent.Listener> listeners;
        private Clock time;
        private WriterClaim claim;
        private Optional<BlobStore> copy;
        private Duration copyPatience;
        private Supplier<Duration> timeLeft;

        Draft(CheckpointOptions options) {
            this.policy = options.policy;
            this.codec = options.codec;
            this.longestChain = options.longestChain;
            this.retention = options.retention;
            this.capture = options.capture;
            this.saveThreads = options.saveThreads;
            this.writeLimit = options.writeLimit;
            this.listeners = options.listeners;
            this.time = options.time;
            this.claim = options.claim;
            this.copy = options.copy;
            this.copyPatience = options.copyPatience;
            this.timeLeft = options.timeLeft;
        }

        CheckpointOptions options() {
            return new CheckpointOptions(
                    policy,
                    codec,
                    longestChain,
                    retention,
                    capture,
                    saveThreads,
                    writeLimit,
                    listeners,
                    time,
                    claim,
                    copy,
                    copyPatience,
                    timeLeft);
        }
    }
}
