package dev.cairn.app.files;

import dev.cairn.disk.Folders;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file or folder that is deleted unless it is finished: when this object is closed, or when a signal that Java
/// handles ends the process.
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

    /// Keeps the file: it is finished, or belongs to another process.
    public void keep() {
        kept = true;
    }

    /// Moves the finished file to its place, in one operation.
    public interface Placing {
        void run() throws IOException;
    }

    /// Finishes the file, unless a signal came first: a file that is being deleted is never moved to its place.
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
            // The hook is already running.
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
            // A leftover is harmless; the error that led here is the one to report.
        }
    }
}
