package dev.cairn.observe.tensorboard;

import dev.cairn.observe.recording.Header;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.BlobStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes frames, on its own thread, once a second (to object storage less often) and at the end. Frames that could not
/// be written are
/// written when that is possible again. If too many wait, new ones are dropped.
final class RecordWriter implements AutoCloseable {
    static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 1000;
    private static final int MOST_WAITING_BYTES = 8 << 20;

    private final CurveFolder folder;
    private final Clock clock;
    private final Consumer<IOException> trouble;
    private final Duration lastPatience;

    private final Object lock = new Object();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private @Nullable Thread thread;
    private boolean closing;

    // Used only by the writing thread.
    private byte[] failed = new byte[0];
    private @Nullable CurveFile file;
    private byte[] header = new byte[0];
    private long nextNanos;
    private boolean told;

    /// @param trouble receives the reason once if frames cannot be written
    /// @param lastPatience how long [#close] waits
    RecordWriter(CurveFolder folder, Clock clock, Consumer<IOException> trouble, Duration lastPatience) {
        this.folder = folder;
        this.clock = clock;
        this.nextNanos = clock.nanos();
        this.trouble = trouble;
        this.lastPatience = lastPatience;
    }

    /// Begins to write, to a new file. Does nothing if it has begun.
    ///
    /// @param anew whether the file goes to a new folder
    void begin(String process, boolean anew, Instant time) {
        synchronized (lock) {
            if (thread == null && !closing) {
                header = Frame.of(Records.version(time));
                waiting.writeBytes(header);
                thread = Thread.ofPlatform()
                        .name("cairn-tensorboard")
                        .daemon(true)
                        .start(() -> run(process, anew));
            }
        }
    }

    void add(byte[] frame) {
        synchronized (lock) {
            if (thread != null && !closing && waiting.size() + frame.length <= MOST_WAITING_BYTES) {
                waiting.writeBytes(frame);
            }
        }
    }

    @Override
    public void close() {
        Thread writing;
        synchronized (lock) {
            closing = true;
            lock.notifyAll();
            writing = thread;
        }
        if (writing != null) {
            try {
                writing.join(lastPatience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(String process, boolean anew) {
        try {
            boolean last = false;
            while (!last) {
                byte[] frames;
                synchronized (lock) {
                    if (!closing) {
                        lock.wait(PAUSE_MILLIS);
                    }
                    last = closing;
                    if (!last && !isDue()) {
                        continue;
                    }
                    if (failed.length == 0) {
                        frames = waiting.toByteArray();
                        waiting = new ByteArrayOutputStream();
                    } else {
                        frames = failed; // the others wait, and are dropped when they are too many
                    }
                }
                write(frames, process, anew);
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        } finally {
            closeFile();
        }
    }

    private void write(byte[] frames, String process, boolean anew) {
        if (frames.length == 0) {
            return;
        }
        try {
            CurveFile open = file;
            if (open == null) {
                open = open(process, anew);
                file = open;
            }
            open.append(frames);
            failed = new byte[0];
            nextNanos = clock.nanos() + open.pause().toNanos();
        } catch (IOException | RuntimeException e) {
            failed = frames;
            if (!told) {
                told = true;
                trouble.accept(e instanceof IOException failure ? failure : new IOException(e));
            }
        }
    }

    private CurveFile open(String process, boolean anew) throws IOException {
        return switch (folder) {
            case CurveFolder.Local local -> EventFile.next(local.of(process, anew), Header.hostName());
            case CurveFolder.InStorage(BlobStore run) ->
                EventObjects.next(run, process, anew, Header.hostName(), header);
        };
    }

    /// Whether more frames are not waited for.
    private boolean isDue() {
        return clock.nanos() - nextNanos >= 0 || waiting.size() > MOST_WAITING_BYTES / 2;
    }

    private void closeFile() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException written) {
            // All frames were handed over before.
        }
    }
}
