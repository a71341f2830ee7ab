package dev.cairn.checkpoint;

import dev.cairn.checkpoint.background.EarlyWarmUp;
import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.checkpoint.background.Throttle;
import dev.cairn.checkpoint.capture.Captures;
import dev.cairn.checkpoint.capture.CopyThreads;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.checkpoint.chain.Lineage;
import dev.cairn.checkpoint.copy.RunIdentity;
import dev.cairn.checkpoint.copy.SecondTier;
import dev.cairn.checkpoint.encode.StateEncoder;
import dev.cairn.checkpoint.house.Housekeeping;
import dev.cairn.checkpoint.save.Announcer;
import dev.cairn.checkpoint.save.BestSoFar;
import dev.cairn.checkpoint.save.Room;
import dev.cairn.checkpoint.save.RunPlace;
import dev.cairn.checkpoint.save.SaveFollowers;
import dev.cairn.checkpoint.save.SaveTiming;
import dev.cairn.checkpoint.save.Saver;
import dev.cairn.checkpoint.scrub.Scrubber;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.Generation;
import dev.cairn.store.right.WriterRight;
import dev.cairn.store.segment.Spares;
import dev.cairn.store.spare.RunCopy;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;

/// The parts of an open run, connected to each other. [#release] closes them and gives up the run.
final class RunParts {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    final CheckpointOptions options;
    final CheckpointStore store;
    final CheckpointWriter writer;
    final Throttle throttle;
    final Captures captures;
    final Lineage lineage = new Lineage();
    final StateEncoder encoder;
    final Announcer events;
    final Housekeeping housekeeping;
    final Room room;
    final Saver saver;
    final SaveTiming timing;
    final RunPlace place;
    final Optional<SecondTier> copy;
    final Optional<RunCopy> spares;
    final BestSoFar best;
    final EarlyWarmUp warmUp;
    final Optional<Scrubber> scrubber;

    /// The identity of the run when it was opened.
    final RunIdentity identity;

    private final WriterRight right;
    private final Optional<BlobStore> owned;

    /// @param owned the storage to close with the run; empty if the caller closes it
    RunParts(
            BlobStore blobs,
            WriterRight right,
            CheckpointOptions options,
            CopyThreads copying,
            Optional<BlobStore> owned)
            throws IOException {
        this.options = options;
        this.right = right;
        this.owned = owned;
        this.throttle = Throttle.of(options);
        this.spares = options.copying().map(CheckpointOptions.Copying::store).map(RunCopy::new);
        this.store = new CheckpointStore(
                throttle.around(blobs), spares.map(Spares.class::cast).orElse(Spares.NONE));
        this.writer = CheckpointWriter.open(store, right);
        this.captures = new Captures(options, copying);
        this.encoder = new StateEncoder(
                options.encoding().codec(),
                options.encoding().longestChain(),
                options.resources().saveThreads(),
                lineage);
        this.timing = new SaveTiming(options);
        this.best = new BestSoFar(options);
        this.events = new Announcer(options.listeners());
        var doubts = new Doubts(lineage, writer);
        var rightOfWay = new RightOfWay();
        this.housekeeping = new Housekeeping(store, writer, options, rightOfWay, lineage, doubts, events);
        this.room = new Room(store, options, housekeeping);
        this.copy = options.copying()
                .map(CheckpointOptions.Copying::store)
                .map(there -> new SecondTier(store, there, throttle.around(there), options, doubts, events));
        var followers = new SaveFollowers(timing, best, saved -> copy.ifPresent(tier -> tier.saved(saved)));
        this.saver =
                new Saver(store, writer, rightOfWay, doubts, followers, room, encoder, housekeeping, options, events);
        this.place = new RunPlace(store, !writer.isFirst());
        this.warmUp = new EarlyWarmUp(options.encoding().codec());
        this.identity = RunIdentity.of(store.history()).orElseGet(RunIdentity::random);
        writer.healed().forEach(damage -> events.on(CheckpointEvent.Healed.fromTwin(damage)));
        this.scrubber = Scrubber.start(store, writer, options, rightOfWay, doubts, events);
    }

    /// The monotonic clock of the run.
    long nanos() {
        return options.environment().time().nanos();
    }

    Duration since(long startNanos) {
        return Duration.ofNanos(nanos() - startNanos);
    }

    /// Takes the run for this group of processes.
    void declare(Generation group) throws IOException {
        right.declare(group);
    }

    /// Closes everything but the saver, which must have finished, and gives up the right to write.
    void release() throws IOException {
        try {
            scrubber.ifPresent(Scrubber::close);
            housekeeping.close();
            options.copying()
                    .ifPresent(to -> copy.ifPresent(tier ->
                            tier.close(to.patience(), options.environment().timeLeft())));
            captures.close();
            encoder.close();
        } finally {
            try {
                right.close();
            } finally {
                owned.ifPresent(RunParts::close);
            }
        }
    }

    /// As [#release], but logs a failure instead of throwing it.
    void releaseQuietly() {
        try {
            release();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "run not released", e);
        }
    }

    /// Closes storage if it can be closed, and logs a failure.
    static void close(BlobStore storage) {
        if (storage instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "storage not closed", e);
            }
        }
    }
}
