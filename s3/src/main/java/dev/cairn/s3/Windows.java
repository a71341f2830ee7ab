package dev.cairn.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;

/// Pieces of blobs that were fetched or are being fetched. They turn reading a blob block by block on several threads
/// into few large requests instead of many small ones. All readers of a store share 64 MiB of windows.
final class Windows {
    static final int BYTES = 2 << 20;
    /// The number of windows that are fetched ahead of a sequential reader.
    static final int AHEAD = 8;

    private static final int MOST = 32;

    private final ExecutorService threads;
    /// The least recently used window is first.
    private final Map<Place, FutureTask<byte[]>> windows = new LinkedHashMap<>(64, 0.75f, true);

    Windows(ExecutorService threads) {
        this.threads = threads;
    }

    /// Fetches a window of one blob.
    interface Source {
        byte[] fetch(long window) throws IOException;

        /// The number of windows of the blob.
        long count();
    }

    private record Place(Source source, long window) {}

    /// The bytes of this window. They must not be changed.
    ///
    /// @param last last window that the caller needs
    byte[] get(Source source, long window, long last) throws IOException {
        FutureTask<byte[]> wanted;
        synchronized (windows) {
            wanted = task(source, window);
            boolean sequential = windows.containsKey(new Place(source, window - 1));
            long until = Math.min(source.count() - 1, sequential ? window + AHEAD : Math.min(last, window + AHEAD));
            for (long ahead = window + 1; ahead <= until; ahead++) {
                if (!windows.containsKey(new Place(source, ahead))) {
                    threads.execute(task(source, ahead));
                }
            }
        }
        wanted.run(); // Does nothing if another thread runs or ran it.
        return await(source, window, wanted);
    }

    private FutureTask<byte[]> task(Source source, long window) {
        FutureTask<byte[]> task =
                windows.computeIfAbsent(new Place(source, window), _ -> new FutureTask<>(() -> source.fetch(window)));
        var oldest = windows.keySet().iterator();
        while (windows.size() > MOST) {
            oldest.next();
            oldest.remove();
        }
        return task;
    }

    private byte[] await(Source source, long window, FutureTask<byte[]> task) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            synchronized (windows) {
                windows.remove(new Place(source, window), task);
            }
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException("window not fetched", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading");
        }
    }

    /// Removes the windows of a blob that is no longer read.
    void forget(Source source) {
        synchronized (windows) {
            windows.keySet().removeIf(place -> place.source().equals(source));
        }
    }
}
