package dev.cairn.checkpoint;

import java.time.Duration;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(
        SavePolicy policy, Codec codec, int longestChain, CheckpointEvent.Listener listener, Timekeeper time) {
    /// Restoring reads a chain from its base on: it is kept short. See `docs/adr/0008-chains.md`.
    private static final int USUAL_CHAIN = 8;

    public CheckpointOptions {
        if (longestChain < 0) {
            throw new IllegalArgumentException("a chain has no negative length: longestChain=" + longestChain);
        }
    }

    /// Saves every 30 seconds, bit for bit, and tells `System.Logger` what happens.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                new SavePolicy.EveryDuration(Duration.ofSeconds(30)),
                new Codec.Lossless(),
                USUAL_CHAIN,
                new LoggingListener(),
                Timekeeper.system());
    }

    public CheckpointOptions withPolicy(SavePolicy policy) {
        return new CheckpointOptions(policy, codec, longestChain, listener, time);
    }

    public CheckpointOptions withCodec(Codec codec) {
        return new CheckpointOptions(policy, codec, longestChain, listener, time);
    }

    /// How many deltas a reader may have to apply; longer chains are merged. 0: every checkpoint stands alone.
    public CheckpointOptions withLongestChain(int deltas) {
        return new CheckpointOptions(policy, codec, deltas, listener, time);
    }

    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        return new CheckpointOptions(policy, codec, longestChain, listener, time);
    }

    public CheckpointOptions withTime(Timekeeper time) {
        return new CheckpointOptions(policy, codec, longestChain, listener, time);
    }
}
