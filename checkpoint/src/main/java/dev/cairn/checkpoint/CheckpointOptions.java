package dev.cairn.checkpoint;

import dev.cairn.store.retention.Retention;
import java.time.Duration;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(
        SavePolicy policy,
        Codec codec,
        int longestChain,
        Retention retention,
        CheckpointEvent.Listener listener,
        Timekeeper time) {
    /// Restoring reads a chain from its base on: it is kept short.
    private static final int USUAL_CHAIN = 16;

    public CheckpointOptions {
        if (longestChain < 0) {
            throw new IllegalArgumentException("a chain has no negative length: longestChain=" + longestChain);
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
                new LoggingListener(),
                Timekeeper.system());
    }

    public CheckpointOptions withPolicy(SavePolicy policy) {
        return new CheckpointOptions(policy, codec, longestChain, retention, listener, time);
    }

    public CheckpointOptions withCodec(Codec codec) {
        return new CheckpointOptions(policy, codec, longestChain, retention, listener, time);
    }

    /// How many deltas may follow a base before there is a new one.
    public CheckpointOptions withLongestChain(int deltas) {
        return new CheckpointOptions(policy, codec, deltas, retention, listener, time);
    }

    /// Which checkpoints stay.
    public CheckpointOptions withRetention(Retention retention) {
        return new CheckpointOptions(policy, codec, longestChain, retention, listener, time);
    }

    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        return new CheckpointOptions(policy, codec, longestChain, retention, listener, time);
    }

    public CheckpointOptions withTime(Timekeeper time) {
        return new CheckpointOptions(policy, codec, longestChain, retention, listener, time);
    }
}
