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
/// @param listeners who hears of events, in this order
/// @param environment what the program around the training knows
public record CheckpointOptions(
        SavePolicy policy,
        Encoding encoding,
        Retention retention,
        Resources resources,
        Optional<Copying> copying,
        List<CheckpointEvent.Listener> listeners,
        Environment environment) {
    /// The attribute in which every checkpoint tells what the run keeps, as [Retention#text] has it.
    public static final String KEEP = "cairn.keep";

    /// Restoring reads a chain from its base on, so it is kept short. See `docs/adr/0008-chains.md`.
    private static final int DEFAULT_CHAIN = 8;

    /// Two reach most of a memory's bandwidth, and encode faster than most disks write; more would take cores from the
    /// training for little.
    private static final int DEFAULT_SAVE_THREADS = 2;

    private static final Duration FOREVER = Duration.ofDays(36_500);

    /// For the last checkpoint to get into the copy when the run is closed.
    private static final Duration DEFAULT_COPY_PATIENCE = Duration.ofSeconds(60);

    public CheckpointOptions {
        listeners = List.copyOf(listeners);
    }

    /// How checkpoints are encoded.
    ///
    /// @param longestChain how many deltas a reader may have to apply; 0 if every checkpoint is a base
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
    /// @param saveThreads how many threads at a time copy the state, encode it, and merge
    /// @param writeLimit bytes a second; empty for no limit
    public record Resources(CaptureMode capture, int saveThreads, OptionalLong writeLimit) {
        public Resources {
            if (saveThreads < 1) {
                throw new IllegalArgumentException("saveThreads=" + saveThreads + "; a save needs one thread at least");
            }
            if (writeLimit.isPresent() && writeLimit.getAsLong() < 1) {
                throw new IllegalArgumentException("writeLimit=" + writeLimit.getAsLong()
                        + " bytes a second lets nothing be written; for no limit, set none");
            }
        }
    }

    /// A second copy of the run.
    ///
    /// @param patience how long closing the run waits for the last checkpoint to be copied
    public record Copying(BlobStore store, Duration patience) {
        public Copying {
            if (patience.isNegative()) {
                throw new IllegalArgumentException(
                        "patience=" + patience + " is negative; use Duration.ZERO to wait for nothing");
            }
        }
    }

    /// What the program around the training knows, and what tests replace.
    ///
    /// @param claim how to get the right to write into the run
    /// @param timeLeft how long the run may still go on
    public record Environment(Clock time, WriterClaim claim, Supplier<Duration> timeLeft) {}

    /// Chooses the save interval that wastes the least time, saves bit for bit, keeps what [Retention#usual] says and
    /// logs what happens to `System.Logger`.
    public static CheckpointOptions defaults() {
        return new CheckpointOptions(
                SavePolicy.automatic(),
                new Encoding(new Codec.Lossless(), DEFAULT_CHAIN),
                Retention.usual(),
                new Resources(CaptureMode.COPY, DEFAULT_SAVE_THREADS, OptionalLong.empty()),
                Optional.empty(),
                List.of(new LoggingListener()),
                new Environment(Clock.system(), WriterClaim.usual(), () -> FOREVER));
    }

    /// When to save.
    public CheckpointOptions withPolicy(SavePolicy changed) {
        return new CheckpointOptions(changed, encoding, retention, resources, copying, listeners, environment);
    }

    /// How checkpoints are encoded.
    public CheckpointOptions withCodec(Codec codec) {
        return with(new Encoding(codec, encoding.longestChain));
    }

    /// How many deltas a reader may have to apply; longer chains are merged. With 0, every checkpoint is a base.
    public CheckpointOptions withLongestChain(int deltas) {
        return with(new Encoding(encoding.codec, deltas));
    }

    /// Which checkpoints to keep.
    public CheckpointOptions withRetention(Retention changed) {
        return new CheckpointOptions(policy, encoding, changed, resources, copying, listeners, environment);
    }

    /// How the state is taken from the training.
    public CheckpointOptions withCapture(CaptureMode mode) {
        return with(new Resources(mode, resources.saveThreads, resources.writeLimit));
    }

    /// How many threads at a time copy the state, encode it, and merge. The state is never copied by more threads than
    /// the machine has cores.
    public CheckpointOptions withSaveThreads(int threads) {
        return with(new Resources(resources.capture, threads, resources.writeLimit));
    }

    /// How many bytes a second saves and merges may write beside the training, so that it keeps its disk or network.
    /// The limit does not hold for a save that somebody waits for, such as the last one.
    public CheckpointOptions withWriteLimit(long bytesPerSecond) {
        return with(new Resources(resources.capture, resources.saveThreads, OptionalLong.of(bytesPerSecond)));
    }

    /// Copies the run's checkpoints to this storage, too, beside the training, the newest first. If the run's own
    /// storage is lost, [Checkpoints#fetchCopy] brings the newest back. Closing the run waits up to a minute
    /// for the last checkpoint to be copied.
    public CheckpointOptions withCopy(BlobStore store) {
        return withCopy(store, DEFAULT_COPY_PATIENCE);
    }

    /// As [#withCopy(BlobStore)]; closing the run waits this long at most.
    public CheckpointOptions withCopy(BlobStore store, Duration patience) {
        var copy = Optional.of(new Copying(store, patience));
        return new CheckpointOptions(policy, encoding, retention, resources, copy, listeners, environment);
    }

    /// Adds a listener, which hears of events after the log and after those that were added before.
    public CheckpointOptions withListener(CheckpointEvent.Listener listener) {
        var more = new ArrayList<>(listeners);
        more.add(listener);
        return withListeners(more);
    }

    /// Logs nothing: for a program that tells people itself.
    public CheckpointOptions withoutLog() {
        var others = new ArrayList<>(listeners);
        others.removeIf(LoggingListener.class::isInstance);
        return withListeners(others);
    }

    /// The clocks, for tests.
    public CheckpointOptions withTime(Clock time) {
        return with(new Environment(time, environment.claim, environment.timeLeft));
    }

    /// How to get the right to write into the run, and how long to wait for it.
    public CheckpointOptions withClaim(WriterClaim claim) {
        return with(new Environment(environment.time, claim, environment.timeLeft));
    }

    /// How long the run may still go on, if a deadline is known. A save that would delay the last one is not begun.
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
