package dev.cairn.checkpoint;

import dev.cairn.store.BlobStore;
import dev.cairn.store.WriterClaim;
import dev.cairn.store.retention.Retention;
import java.time.Duration;
import java.util.Optional;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(
        SavePolicy policy,
        Codec codec,
        int longestChain,
        Retention retention,
        CaptureMode capture,
        int saveThreads,
        long writeLimit,
        CheckpointEvent.Listener listener,
        Timekeeper time,
        WriterClaim claim,
        Optional<BlobStore> copy,
        Duration copyPatience) {
    /// A [#writeLimit] that limits nothing.
    public static final long NO_WRITE_LIMIT = Long.MAX_VALUE;

    /// Restoring reads a chain from its base on: it is kept short. See `docs/adr/0008-chains.md`.
    private static final int USUAL_CHAIN = 8;

    /// Two reach most of a memory's bandwidth, and encode faster than most disks write; more would take cores from the
    /// training for little.
    private static final int USUAL_SAVE_THREADS = 2;

    /// For the last checkpoint to get into the copy when the run is closed.
    private static final Duration USUAL_COPY_PATIENCE = Duration.ofSeconds(60);

    public CheckpointOptions {
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

    /// Saves every 30 seconds, bit for bit, keeps what [Retention#usual] says and tells `System.Logger` what
    /// happens.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                new SavePolicy.EveryDuration(Duration.ofSeconds(30)),
                new Codec.Lossless(),
                USUAL_CHAIN,
                Retention.usual(),
                CaptureMode.COPY,
                USUAL_SAVE_THREADS,
                NO_WRITE_LIMIT,
                new LoggingListener(),
                Timekeeper.system(),
                WriterClaim.usual(),
                Optional.empty(),
                USUAL_COPY_PATIENCE);
    }

    /// When to save.
    public CheckpointOptions withPolicy(SavePolicy policy) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How checkpoints are encoded.
    public CheckpointOptions withCodec(Codec codec) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How many deltas a reader may have to apply; longer chains are merged. 0: every checkpoint stands alone.
    public CheckpointOptions withLongestChain(int deltas) {
        return new CheckpointOptions(
                policy,
                codec,
                deltas,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// Which checkpoints stay.
    public CheckpointOptions withRetention(Retention retention) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How the state is taken from the training.
    public CheckpointOptions withCapture(CaptureMode mode) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                mode,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How many threads at a time copy the state, encode it, and merge; a copy never has more than the machine has
    /// cores.
    public CheckpointOptions withSaveThreads(int threads) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                threads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How many bytes a second saves and merges may write beside the training, so that it keeps its disk or network. A
    /// save that somebody waits for, such as the last one, is not held up.
    public CheckpointOptions withWriteLimit(long bytesPerSecond) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                bytesPerSecond,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// Who hears of events, in place of the log.
    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// The clocks, for tests.
    public CheckpointOptions withTime(Timekeeper time) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// How to get the right to write into the run, and how long to wait for it.
    public CheckpointOptions withClaim(WriterClaim claim) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                copyPatience);
    }

    /// Copies the run's checkpoints to this storage too, beside the training, the newest first. Where the run's own is
    /// lost, [Checkpoints#fetchCopy] brings the newest back.
    public CheckpointOptions withCopy(BlobStore copy) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                Optional.of(copy),
                copyPatience);
    }

    /// How long closing the run waits for the last checkpoint to be copied.
    public CheckpointOptions withCopyPatience(Duration patience) {
        return new CheckpointOptions(
                policy,
                codec,
                longestChain,
                retention,
                capture,
                saveThreads,
                writeLimit,
                listener,
                time,
                claim,
                copy,
                patience);
    }
}
