package dev.cairn.observe.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Checkpointed;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Keeps the events of one training in its run, as `docs/EVENTS.md` says.
///
/// The training thread hands events over and goes on; a thread of its own writes them: in a folder after a second at
/// most, and at once after a commit and at the end; in object storage with commits, and at the end. The file is made
/// when the training has started, so a start that is refused leaves none. Trouble with the storage is told once and
/// changes nothing else; what could not be written is written when that is possible again.
public final class EventLog implements TrainingObserver, AutoCloseable {
    /// What the events of one process in one attempt take at most.
    public static final long MOST_BYTES = 4 << 20;

    private static final Logger LOG = System.getLogger("dev.cairn.observe");
    private static final int VERSION = 1;
    private static final long PAUSE_MILLIS = 1000;
    private static final Duration DEAR_PAUSE = Duration.ofSeconds(2);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    /// More steps than any training makes in the time between two looks at them.
    private static final int MOST_WAITING = 1 << 15;

    private final EventSink sink;
    private final String process;
    private final Clock clock;
    private final Consumer<IOException> trouble;
    private final EventLines lines;
    private final Thread thread;

    private final List<TrainingEvent> waiting = new ArrayList<>();
    private boolean urgent;
    private boolean closing;
    private volatile long stride = 1;

    // Of the thread that writes.
    private boolean started;
    private boolean opened;
    private boolean broken;
    private boolean told;
    private boolean committed;
    private long lastNanos;

    EventLog(EventSink sink, String process, Clock clock, Consumer<IOException> trouble, long mostBytes) {
        this.sink = sink;
        this.process = process;
        this.clock = clock;
        this.trouble = trouble;
        this.lines = new EventLines(mostBytes);
        this.thread = Thread.ofPlatform().name("cairn-events").daemon(true).start(this::run);
    }

    /// In the run that is stored here.
    ///
    /// @param process the name of this process in the attempt: 1 to 32 lower-case letters and digits
    /// @param trouble told once why events cannot be written, on a thread of the log
    public static EventLog in(BlobStore store, String process, Clock clock, Consumer<IOException> trouble) {
        EventSink sink = store instanceof LocalBlobStore local
                ? new FolderSink(local.root(), process)
                : new BlobSink(store, process);
        return new EventLog(sink, process, clock, trouble, MOST_BYTES);
    }

    @Override
    public void on(TrainingEvent event) {
        boolean isStep = event instanceof StepMade;
        if (event instanceof StepMade made && made.step() % stride != 0) {
            return;
        }
        boolean matters = event instanceof TrainingEvent.Ended
                || event instanceof Checkpointed(var _, CheckpointEvent.Committed _);
        synchronized (waiting) {
            if (closing || waiting.size() >= (isStep ? MOST_WAITING : 2 * MOST_WAITING)) {
                return; // storage hangs, and memory is bounded
            }
            waiting.add(event);
            urgent |= matters;
            if (matters || waiting.size() == MOST_WAITING / 2) {
                waiting.notifyAll();
            }
        }
    }

    /// Writes what is left. Returns after five seconds at most, also if the storage hangs.
    @Override
    public void close() {
        synchronized (waiting) {
            closing = true;
            waiting.notifyAll();
        }
        try {
            thread.join(LAST_PATIENCE);
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
                stride = lines.stride();
                if (started && lines.hasNew() && (last || !sink.isDear() || isDue())) {
                    write();
                }
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether a commit is worth a write to storage where each costs a request.
    private boolean isDue() {
        return committed && (!opened || clock.nanos() - lastNanos >= DEAR_PAUSE.toNanos());
    }

    private void take(TrainingEvent event) {
        started |= event instanceof TrainingEvent.Started;
        committed |= event instanceof Checkpointed(var _, CheckpointEvent.Committed _);
        try {
            ObjectNode line = EventJson.of(event);
            if (event instanceof StepMade made) {
                lines.addStep(made.step(), text(line));
            } else {
                lines.add(line.path("event").asText(), text(line));
            }
        } catch (RuntimeException odd) {
            // Such as attributes of another type than ours have: the others are kept all the same.
            LOG.log(Level.WARNING, "event not kept: " + event, odd);
        }
    }

    private void write() {
        try {
            if (!opened) {
                sink.open(this::first);
                opened = true;
            } else if (broken || lines.isThinned() || sink.wantsAll()) {
                sink.replace(lines.all());
            } else {
                sink.append(lines.fresh());
            }
            broken = false;
            committed = false;
            lastNanos = clock.nanos();
            lines.written();
        } catch (IOException | RuntimeException e) {
            broken = true;
            if (!told) {
                told = true;
                trouble.accept(e instanceof IOException failure ? failure : new IOException(e));
            }
        }
    }

    /// The first content of the file: who writes it, then what happened so far.
    private byte[] first(long attempt) {
        ObjectNode header = EventJson.line(EventKinds.ATTEMPT, clock.now())
                .put("version", VERSION)
                .put("attempt", attempt)
                .put("process", process)
                .put("host", hostName())
                .put("pid", ProcessHandle.current().pid())
                .put("java", Runtime.version().toString());
        lines.setFirst(text(header));
        return lines.all();
    }

    private static byte[] text(ObjectNode line) {
        return (line + "\n").getBytes(UTF_8);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "";
        }
    }
}
