package dev.cairn.checkpoint;

import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// How a run is checkpointed. Start from [#defaults] and change what differs.
///
/// @param policy when to save
/// @param encoding how checkpoints are encoded
/// @param retention which checkpoints to keep
/// @param resources what saving may take from the training
/// @param copying where a second copy of the run goes; empty if there is none
/// @param listeners the receivers of events, in this order
/// @param environment what the program around the training knows
public record CheckpointOptions(
        SavePolicy policy,
        Encoding encoding,
        Retention retention,
        Resources resources,
        Optional<Copying> copying,
        List<CheckpointEvent.Listener> listeners,
        Environment environment) {
    /// The attribute in which every checkpoint records what the run keeps, as [Retention#text].
    public static final String KEEP = "cairn.keep";

    /// Restoring reads a chain from its base, so chains are kept short. See `docs/adr/0008-chains.md`.
    private static final int DEFAULT_CHAIN = 8;

    /// Two threads use most of the memory's bandwidth, and encode faster than most disks write. More would take
    /// cores from the training for little gain.
    private static final int DEFAULT_SAVE_THREADS = 2;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /// The maximum time for copying the last checkpoint when the run is closed.
    private static final Duration DEFAULT_COPY_PATIENCE = Duration.ofSeconds(60);

    public CheckpointOptions {
        listeners = List.copyOf(listeners);
    }

    /// How checkpoints are encoded.
    ///
    /// @param longestChain the maximum number of deltas that a reader has to apply; 0 if every checkpoint is a
    ///     base
    public record Encoding(Codec codec, int longestChain) {
        public Encoding {
            if (longestChain < 0) {
                throw new IllegalArgumentException(
                        "longestChain=" + longestChain + " is negative; 0 makes every checkpoint a base");
            }
        }
    }

    /// What saving may take from the training.
    ///
    /// @param saveThreads the number of threads that copy the state, encode it, and merge at a time
    /// @param writeLimit the maximum bytes a second; empty for no limit
    /// @param scrubbing whether old files are read again in the background
    public record Resources(CaptureMode capture, int saveThreads, OptionalLong writeLimit, Scrubbing scrubbing) {
        public Resources {
            if (saveThreads < 1) {
                throw new IllegalArgumentException("saveThreads=" + saveThreads + "; a save needs at least one thread");
            }
            if (writeLimit.isPresent() && writeLimit.getAsLong() < 1) {
                throw new IllegalArgumentException("writeLimit=" + writeLimit.getAsLong()
                        + " bytes a second is too small; for no limit, do not set one");
            }
        }
    }

    /// A second copy of the run.
    ///
    /// @param patience the maximum time that closing the run waits for the last checkpoint to be copied
    public record Copying(BlobStore store, Duration patience) {
        public Copying {
            if (patience.isNegative()) {
                throw new IllegalArgumentException(
                        "patience=" + patience + " is negative; use Duration.ZERO not to wait");
            }
        }
    }

    /// What the program around the training knows, and what tests replace.
    ///
    /// @param claim how to get the right to write into the run
    /// @param timeLeft how long the run may still continue
    public record Environment(Clock time, WriterClaim claim, Supplier<Duration> timeLeft) {}

    /// Chooses the save interval that wastes the least time, saves bit for bit, keeps what [Retention#usual]
    /// keeps, and logs events to `System.Logger`.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                SavePolicy.automatic(),
                new Encoding(new Codec.Lossless(), DEFAULT_CHAIN),
                Retention.usual(),
                new Resources(CaptureMode.COPY, DEFAULT_SAVE_THREADS, OptionalLong.empty(), new Scrubbing.Usual()),
                Optional.empty(),
                List.of(new LoggingListener()),
                new Environment(Clock.system(), WriterClaim.usual(), () -> FOREVER));
    }

    /// With this policy for when to save.
    public CheckpointOptions withPolicy(SavePolicy changed) {
        return new CheckpointOptions(changed, encoding, retention, resources, copying, listeners, environment);
    }

    /// With this codec for checkpoints.
    public CheckpointOptions withCodec(Codec codec) {
        return with(new Encoding(codec, encoding.longestChain));
    }

    /// With this maximum number of deltas that a reader has to apply. Longer chains are merged. With 0, every
    /// checkpoint is a base.
    public CheckpointOptions withLongestChain(int deltas) {
        return with(new Encoding(encoding.codec, deltas));
    }

    /// With this rule for which checkpoints to keep.
    public CheckpointOptions withRetention(Retention changed) {
        return new CheckpointOptions(policy, encoding, changed, resources, copying, listeners, environment);
    }

    /// With this way to capture the state.
    public CheckpointOptions withCapture(CaptureMode mode) {
        return with(new Resources(mode, resources.saveThreads, resources.writeLimit, resources.scrubbing));
    }

    /// With this number of threads that copy the state, encode it, and merge at a time. The state is never copied
    /// by more threads than the machine has cores.
    public CheckpointOptions withSaveThreads(int threads) {
        return with(new Resources(resources.capture, threads, resources.writeLimit, resources.scrubbing));
    }

    /// With this maximum of bytes a second that saves and merges write in the background, so that they leave disk
    /// and network to the training. The limit does not apply to a save that the caller waits for, such as the
    /// last one.
    public CheckpointOptions withWriteLimit(long bytesPerSecond) {
        var limit = OptionalLong.of(bytesPerSecond);
        return with(new Resources(resources.capture, resources.saveThreads, limit, resources.scrubbing));
    }

    /// With this way to read the run's files again while it is open, and to heal those that rotted.
    public CheckpointOptions withScrubbing(Scrubbing scrubbing) {
        return with(new Resources(resources.capture, resources.saveThreads, resources.writeLimit, scrubbing));
    }

    /// With a second copy of the run's checkpoints in this storage. They are copied in the background, the newest
    /// first. Damaged bytes that the run itself cannot heal are read from the copy. If the run's own storage is
    /// lost, [Checkpoints#fetchCopy] fetches the newest from there. Closing the run waits up to a minute for the
    /// last checkpoint to be copied.
    public CheckpointOptions withCopy(BlobStore store) {
        return withCopy(store, DEFAULT_COPY_PATIENCE);
    }

    /// As [#withCopy(BlobStore)], but closing the run waits at most this long.
    public CheckpointOptions withCopy(BlobStore store, Duration patience) {
        var copy = Optional.of(new Copying(store, patience));
        return new CheckpointOptions(policy, encoding, retention, resources, copy, listeners, environment);
    }

    /// With this listener added. It receives events after the log and after the listeners that were added before.
    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        var more = new ArrayList<>(listeners);
        more.add(listener);
        return withListeners(more);
    }

    /// Without the log, for a program that reports events itself.
    public CheckpointOptions withoutLog() {
        var others = new ArrayList<>(listeners);
        others.removeIf(LoggingListener.class::isInstance);
        return withListeners(others);
    }

    /// With this clock, for tests.
    public CheckpointOptions withTime(Clock time) {
        return with(new Environment(time, environment.claim, environment.timeLeft));
    }

    /// With this way to get the right to write into the run, and this time to wait for it.
    public CheckpointOptions withClaim(WriterClaim claim) {
        return with(new Environment(environment.time, claim, environment.timeLeft));
    }

    /// With the time that the run may still continue, if a deadline is known. A save that would delay the last
    /// save before the deadline is not started, except with [SavePolicy.EverySteps].
    public CheckpointOptions withTimeLeft(Supplier<Duration> timeLeft) {
        return with(new Environment(environment.time, environment.claim, timeLeft));
    }

    private CheckpointOptions with(Encoding changed) {
        return new CheckpointOptions(policy, changed, retention, resources, copying, listeners, environment);
    }

    private CheckpointOptions with(Resources changed) {
        return new CheckpointOptions(policy, encoding, retention, changed, copying, listeners, environment);
    }

    private CheckpointOptions with(Environment changed) {
        return new CheckpointOptions(policy, encoding, retention, resources, copying, listeners, changed);
    }

    private CheckpointOptions withListeners(List<CheckpointEvent.Listener> changed) {
        return new CheckpointOptions(policy, encoding, retention, resources, copying, changed, environment);
    }
}
