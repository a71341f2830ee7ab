package dev.cairn.checkpoint.scrub;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Scrubbing;
import dev.cairn.checkpoint.background.BackgroundThreads;
import dev.cairn.checkpoint.background.RightOfWay;
import dev.cairn.checkpoint.chain.Doubts;
import dev.cairn.store.Clock;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.scrub.FileCheck;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/// Scrubs an open run on its own thread, from a short while after the start until the run is closed. A file that was
/// found damaged elsewhere is checked at once.
public final class Scrubber implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.checkpoint");

    /// The training starts in peace: at first it restores and compiles.
    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private static final int STARTS = 10;

    /// How long closing waits for a read or write that is under way. One that hangs cannot do harm later: the file that
    /// it would put in place has the bytes that belong there.
    private static final Duration END_PATIENCE = Duration.ofSeconds(3);

    private final ScrubWork work;
    private final ScrubPace pace;
    private final Clock time;
    private final Duration start;
    private final Deque<String> suspects = new ArrayDeque<>();
    private final Thread thread;
    private boolean closed;

    private Scrubber(ScrubWork work, ScrubPace pace, Clock time, Duration start) {
        this.work = work;
        this.pace = pace;
        this.time = time;
        this.start = start;
        this.thread = BackgroundThreads.lowest("cairn-scrub").newThread(this::run);
    }

    /// Starts to scrub a run; empty if the options say that it is not scrubbed.
    public static Optional<Scrubber> start(
            CheckpointStore store,
            CheckpointWriter writer,
            CheckpointOptions options,
            RightOfWay others,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        return switch (options.resources().scrubbing()) {
            case Scrubbing.Off _ -> Optional.empty();
            case Scrubbing.Usual _ when store.blobs().isRemote() -> Optional.empty();
            case Scrubbing.Usual _ ->
                Optional.of(start(
                        store,
                        writer,
                        options,
                        new Scrubbing.Every(Scrubbing.USUAL_PERIOD, Scrubbing.USUAL_BYTES_PER_SECOND),
                        others,
                        doubts,
                        listener));
            case Scrubbing.Every every -> Optional.of(start(store, writer, options, every, others, doubts, listener));
        };
    }

    private static Scrubber start(
            CheckpointStore store,
            CheckpointWriter writer,
            CheckpointOptions options,
            Scrubbing.Every settings,
            RightOfWay others,
            Doubts doubts,
            CheckpointEvent.Listener listener) {
        Clock time = options.environment().time();
        var pace = new ScrubPace(settings.bytesPerSecond(), time, others);
        var check = new FileCheck(store, writer, pace);
        Duration start = settings.period().dividedBy(STARTS);
        var scrubber = new Scrubber(
                new ScrubWork(store, check, settings, time, doubts, listener),
                pace,
                time,
                start.compareTo(LONGEST_START) < 0 ? start : LONGEST_START);
        scrubber.thread.start();
        return scrubber;
    }

    /// Notes that this file was found damaged. It is checked at once.
    public synchronized void suspect(String file) {
        suspects.add(file);
        notifyAll();
    }

    private void run() {
        try {
            Duration free = start;
            while (true) {
                Optional<String> suspect = await(free);
                if (suspect.isPresent()) {
                    work.suspect(suspect.get());
                } else {
                    free = work.next();
                }
            }
        } catch (InterruptedException | IOException end) { // The run is being closed, or belongs to another writer.
            LOG.log(Level.TRACE, "scrubbing ended", end);
        } catch (Throwable e) { // Any error, even out of memory, must be reported and must not end the training.
            LOG.log(Level.WARNING, "scrubbing ended by an error; the next start goes on", e);
        } finally {
            work.end();
        }
    }

    /// Waits until a file is suspected or this time is over.
    private synchronized Optional<String> await(Duration free) throws InterruptedException {
        long end = time.nanos() + free.toNanos();
        while (true) {
            if (closed) {
                throw new InterruptedException();
            }
            if (!suspects.isEmpty()) {
                return Optional.of(suspects.remove());
            }
            long left = end - time.nanos();
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    /// Ends what is under way, at once unless the storage hangs. What was not checked stays due.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        pace.end();
        boolean interrupted = false;
        try {
            thread.join(END_PATIENCE);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
