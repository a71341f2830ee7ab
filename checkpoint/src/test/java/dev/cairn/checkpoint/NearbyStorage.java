package dev.cairn.checkpoint;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageProvider;
import dev.cairn.store.location.StorageSettings;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Storage of another scheme: runs at `nearby:///folder`, which nobody can tell to be a folder. Its one setting is
/// the folder's `depot`, a folder in it.
public final class NearbyStorage implements StorageProvider {
    /// How many stores were opened and not closed.
    static final AtomicInteger OPEN = new AtomicInteger();

    @Override
    public String scheme() {
        return "nearby";
    }

    @Override
    public BlobStore open(RunLocation.Remote location, StorageSettings settings) {
        settings.requireOnly(Set.of("depot"));
        Path folder = Path.of(location.uri().getPath());
        OPEN.incrementAndGet();
        return new Nearby(settings.get("depot").map(folder::resolve).orElse(folder));
    }

    private static final class Nearby extends ForwardingBlobStore implements AutoCloseable {
        Nearby(Path folder) {
            super(new LocalBlobStore(folder));
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }
}
