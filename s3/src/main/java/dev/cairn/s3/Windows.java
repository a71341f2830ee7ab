package dev.cairn.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;

/// Pieces of blobs that were fetched, or are on their way: who reads a blob block by block, on several
/// threads, makes few large requests at a time instead of many small ones. All readers of a store share its
/// 64 MiB.
final class Windows {
    static final int BYTES = 2 << 20;
    /// How far ahead of a sequential reader it fetches.
    static final int AHEAD = 8;

    private static final int MOST = 32;

    private final ExecutorService threads;
    /// Least recently used first.
    private final Map<Place, FutureTask<byte[]>> windows = new LinkedHashMap<>(64, 0.75f, true);

    Windows(ExecutorService threads) {
        this.threads = threads;
    }

    /// Fetches a window of one blob.
    interface Source {
        byte[] fetch(long window) throws IOException;

        /// How many windows the blob has.
        long count();
    }

    private record Place(Source source, long window) {}

    /// The bytes of this window, which nobody may change.
    ///
    /// @param last of the windows that are wanted next
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
        wanted.run(); // Does nothing where another thread is at it, or was.
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

    /// Forgets what belongs to a blob that nobody reads any more.
    void forget(Source source) {
        synchronized (windows) {
            windows.keySet().removeIf(place -> place.source().equals(source));
        }
    }
}
