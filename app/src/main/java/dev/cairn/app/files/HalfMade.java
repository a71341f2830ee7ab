package dev.cairn.app.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file or folder that is to disappear unless it is finished: when this is closed, and when the process is ended
/// by a signal that Java hears of.
public final class HalfMade implements AutoCloseable {
    private final Path path;
    private final Thread hook;
    private volatile boolean kept;
    private boolean removed;

    public HalfMade(Path path) {
        this.path = path;
        this.hook = new Thread(this::removeQuietly, "cairn-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public Path path() {
        return path;
    }

    /// It is finished, or somebody else's.
    public void keep() {
        kept = true;
    }

    /// What gives it its place, at once.
    public interface Placing {
        void run() throws IOException;
    }

    /// Finishes it so, unless a signal came first: what is being removed is never placed.
    public synchronized void finish(Placing placing) throws IOException {
        if (removed) {
            throw new InterruptedIOException("stopped by a signal");
        }
        placing.run();
        kept = true;
    }

    @Override
    public void close() {
        removeQuietly();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The hook runs already.
        }
    }

    private synchronized void removeQuietly() {
        removed = !kept;
        if (kept || !Files.exists(path)) {
            return;
        }
        try {
            Folders.delete(path);
        } catch (IOException e) {
            // What is left over harms nobody; the error that led here is the one to tell.
        }
    }
}
