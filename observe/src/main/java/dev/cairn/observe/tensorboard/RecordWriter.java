package dev.cairn.observe.tensorboard;

import dev.cairn.observe.recording.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes frames to a file, on its own thread, once a second and at the end. Frames that could not be written are
/// written when that is possible again. If too many wait, new ones are dropped.
final class RecordWriter implements AutoCloseable {
    static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 1000;
    private static final int MOST_WAITING_BYTES = 8 << 20;

    private final CurveFolder folder;
    private final Consumer<IOException> trouble;
    private final Duration lastPatience;

    private final Object lock = new Object();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private @Nullable Thread thread;
    private boolean closing;

    // Used only by the writing thread.
    private byte[] failed = new byte[0];
    private @Nullable EventFile file;
    private boolean told;

    /// @param trouble receives the reason once if frames cannot be written
    /// @param lastPatience how long [#close] waits
    RecordWriter(CurveFolder folder, Consumer<IOException> trouble, Duration lastPatience) {
        this.folder = folder;
        this.trouble = trouble;
        this.lastPatience = lastPatience;
    }

    /// Begins to write, to a new file. Does nothing if it has begun.
    ///
    /// @param anew whether the file goes to a new folder
    void begin(String process, boolean anew, Instant time) {
        synchronized (lock) {
            if (thread == null && !closing) {
                waiting.writeBytes(Frame.of(Records.version(time)));
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
            EventFile open = file;
            if (open == null) {
                open = EventFile.next(folder.of(process, anew), Header.hostName());
                file = open;
            }
            open.append(frames);
            failed = new byte[0];
        } catch (IOException | RuntimeException e) {
            failed = frames;
            if (!told) {
                told = true;
                trouble.accept(e instanceof IOException failure ? failure : new IOException(e));
            }
        }
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
