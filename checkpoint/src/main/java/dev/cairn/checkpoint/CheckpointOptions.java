package dev.cairn.checkpoint;

import java.time.Duration;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
public record CheckpointOptions(SavePolicy policy, Codec codec, CheckpointEvent.Listener listener, Timekeeper time) {
    /// Saves every 30 seconds, bit for bit, and tells `System.Logger` what happens.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                new SavePolicy.EveryDuration(Duration.ofSeconds(30)),
                new Codec.Lossless(),
                new LoggingListener(),
                Timekeeper.system());
    }

    public CheckpointOptions withPolicy(SavePolicy policy) {
        return new CheckpointOptions(policy, codec, listener, time);
    }

    public CheckpointOptions withCodec(Codec codec) {
        return new CheckpointOptions(policy, codec, listener, time);
    }

    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        return new CheckpointOptions(policy, codec, listener, time);
    }

    public CheckpointOptions withTime(Timekeeper time) {
        return new CheckpointOptions(policy, codec, listener, time);
    }
}
