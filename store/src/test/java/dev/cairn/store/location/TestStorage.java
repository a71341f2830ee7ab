package dev.cairn.store.location;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.MemoryBlobStore;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Runs at `test://…`, on the heap, as long as the process lives.
public final class TestStorage implements StorageProvider {
    private static final Map<RunLocation, MemoryBlobStore> RUNS = new ConcurrentHashMap<>();
    private static final Map<RunLocation, Integer> OPEN = new ConcurrentHashMap<>();

    @Override
    public String scheme() {
        return "test";
    }

    @Override
    public BlobStore open(RunLocation.Remote location, StorageSettings settings) {
        settings.requireOnly(Set.of("speed"));
        OPEN.merge(location, 1, Integer::sum);
        return new Opened(location, RUNS.computeIfAbsent(location, _ -> new MemoryBlobStore()));
    }

    /// How many stores were opened there and not closed.
    public static int open(RunLocation location) {
        return OPEN.getOrDefault(location, 0);
    }

    private static final class Opened extends ForwardingBlobStore implements AutoCloseable {
        private final RunLocation location;

        Opened(RunLocation location, BlobStore blobs) {
            super(blobs);
            this.location = location;
        }

        @Override
        public void close() {
            OPEN.merge(location, -1, Integer::sum);
        }
    }
}
