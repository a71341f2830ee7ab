package dev.cairn.checkpoint;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStoreContract;
import dev.cairn.store.blob.DecoratorContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/// The stores that tests put before others keep the laws of storage while they let everything pass.
class DecoratorsTest {
    @Nested
    class Watched extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new WatchedBlobStore(below, _ -> {});
        }
    }

    @Nested
    class Slow extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new SlowBlobStore(below);
        }
    }

    @Nested
    class Small extends BlobStoreContract {
        @TempDir
        Path folder;

        @Override
        protected BlobStore store() {
            return new SmallDisk(folder, 1 << 20);
        }
    }
}
