package dev.cairn.observe.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Checkpointed;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.observe.recording.Header;
import dev.cairn.observe.recording.Lines;
import dev.cairn.observe.recording.Recording;
import dev.cairn.observe.recording.Sink;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Records the events of one training in its run, as described in `docs/EVENTS.md`.
///
/// The training thread only queues events, and another thread writes them. In a folder, it writes within one
/// second, and immediately after a commit and at the end. In object storage, it writes after commits and at the
/// end. The file is created when the training has started, so a refused start leaves no file. A storage error is
/// reported once and does not affect the training. Lines that could not be written are written when the storage
/// works again.
public final class EventLog implements TrainingObserver, AutoCloseable {
    /// The maximum size of the events of one process in one attempt.
    public static final long MOST_BYTES = 4 << 20;

    private static final Logger LOG = System.getLogger("dev.cairn.observe");
    private static final int VERSION = 1;
    private static final long PAUSE_MILLIS = 1000;
    private static final Duration DEAR_PAUSE = Duration.ofSeconds(2);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    /// The maximum number of queued events: more than a training produces between two writes.
    private static final int MOST_WAITING = 1 << 15;

    private final Recording recording;
    private final Duration lastPatience;
    private final Lines lines;
    private final Thread thread;

    private final List<TrainingEvent> waiting = new ArrayList<>();
    private boolean urgent;
    private boolean closing;
    private volatile long stride = 1;

    // Used only by the writing thread.
    private boolean started;
    private boolean committed;

    /// @param lastPatience how long [#close] waits for the last events to be written
    EventLog(
            Sink sink,
            String process,
            Clock clock,
            Consumer<IOException> trouble,
            long mostBytes,
            Duration lastPatience) {
        this.lastPatience = lastPatience;
        this.lines = new Lines(mostBytes, EventKinds::isNeeded);
        this.recording = new Recording(
                sink, lines, attempt -> text(Header.of(VERSION, attempt, process, clock)), clock, trouble);
        this.thread = Thread.ofPlatform().name("cairn-events").daemon(true).start(this::run);
    }

    /// Records events in the run in this storage.
    ///
    /// @param process the name of this process in the attempt: 1 to 32 lower-case letters and digits
    /// @param trouble receives the reason once if events cannot be written, on a thread of the log
    public static EventLog in(BlobStore store, String process, Clock clock, Consumer<IOException> trouble) {
        return new EventLog(Sink.in(store, Series.EVENTS, process), process, clock, trouble, MOST_BYTES, LAST_PATIENCE);
    }

    @Override
    public void on(TrainingEvent event) {
        boolean isStep = event instanceof StepMade;
        if (event instanceof StepMade made && made.step() % stride != 0) {
            return;
        }
        boolean matters = event instanceof TrainingEvent.Ended
                || event instanceof TrainingEvent.Recovered
                || event instanceof Checkpointed(var _, CheckpointEvent.Committed _);
        synchronized (waiting) {
            if (closing || waiting.size() >= (isStep ? MOST_WAITING : 2 * MOST_WAITING)) {
                return; // storage hangs: drop the event to limit memory
            }
            waiting.add(event);
            urgent |= matters;
            if (matters || waiting.size() == MOST_WAITING / 2) {
                waiting.notifyAll();
            }
        }
    }

    /// Writes the remaining events. Returns within five seconds, even if the storage hangs.
    @Override
    public void close() {
        synchronized (waiting) {
            closing = true;
            waiting.notifyAll();
        }
        try {
            thread.join(lastPatience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            boolean last = false;
            while (!last) {
                List<TrainingEvent> events;
                synchronized (waiting) {
                    if (!urgent && !closing) {
                        waiting.wait(PAUSE_MILLIS);
                    }
                    events = List.copyOf(waiting);
                    waiting.clear();
                    urgent = false;
                    last = closing;
                }
                events.forEach(this::take);
                stride = lines.stride(EventKinds.STEP);
                if (started && lines.hasNew() && (last || !recording.isDear() || isDue()) && recording.write()) {
                    committed = false;
                }
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether to write after this event in storage where each write costs a request.
    private boolean isDue() {
        return committed && recording.isOlderThan(DEAR_PAUSE);
    }

    private void take(TrainingEvent event) {
        started |= event instanceof TrainingEvent.Started;
        committed |= event instanceof Checkpointed(var _, CheckpointEvent.Committed _);
        try {
            ObjectNode line = EventJson.of(event);
            if (event instanceof StepMade made) {
                lines.add(EventKinds.STEP, made.step(), text(line));
            } else {
                lines.add(line.path("event").asText(), text(line));
            }
        } catch (RuntimeException odd) {
            // For example, an attribute of an unknown type. Other events are still recorded.
            LOG.log(Level.WARNING, "event not recorded: " + event, odd);
        }
    }

    private static byte[] text(ObjectNode line) {
        return (line + "\n").getBytes(UTF_8);
    }
}
