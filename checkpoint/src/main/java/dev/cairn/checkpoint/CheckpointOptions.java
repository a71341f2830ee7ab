package dev.cairn.checkpoint;

import dev.cairn.store.WriterClaim;
import dev.cairn.store.retention.Retention;
import java.time.Duration;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(
        SavePolicy policy,
        Codec codec,
        int longestChain,
        Retention retention,
        CaptureMode capture,
        int captureThreads,
        CheckpointEvent.Listener listener,
        Timekeeper time,
        WriterClaim claim) {
    /// Restoring reads a chain from its base on: it is kept short. See `docs/adr/0008-chains.md`.
    private static final int USUAL_CHAIN = 8;

    /// Two reach most of a memory's bandwidth; more would take cores from the training for little.
    private static final int USUAL_CAPTURE_THREADS = 2;

    public CheckpointOptions {
        if (longestChain < 0) {
            throw new IllegalArgumentException("a chain has no negative length: longestChain=" + longestChain);
        }
        if (captureThreads < 1) {
            throw new IllegalArgumentException("a capture needs a thread: captureThreads=" + captureThreads);
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
                USUAL_CAPTURE_THREADS,
                new LoggingListener(),
                Timekeeper.system(),
                WriterClaim.usual());
    }

    public CheckpointOptions withPolicy(SavePolicy policy) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }

    public CheckpointOptions withCodec(Codec codec) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }

    /// How many deltas a reader may have to apply; longer chains are merged. 0: every checkpoint stands alone.
    public CheckpointOptions withLongestChain(int deltas) {
        return new CheckpointOptions(policy, codec, deltas, retention, capture, captureThreads, listener, time, claim);
    }

    /// Which checkpoints stay.
    public CheckpointOptions withRetention(Retention retention) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }

    public CheckpointOptions withCapture(CaptureMode mode) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, mode, captureThreads, listener, time, claim);
    }

    /// How many threads copy the state at a time; never more than the machine has cores.
    public CheckpointOptions withCaptureThreads(int threads) {
        return new CheckpointOptions(policy, codec, longestChain, retention, capture, threads, listener, time, claim);
    }

    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }

    public CheckpointOptions withTime(Timekeeper time) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }

    /// How to get the right to write into the run, and how long to wait for it.
    public CheckpointOptions withClaim(WriterClaim claim) {
        return new CheckpointOptions(
                policy, codec, longestChain, retention, capture, captureThreads, listener, time, claim);
    }
}
