package dev.cairn.store.blob;

import java.util.Set;
import org.junit.jupiter.api.Nested;

/// Every operation is handed on, by [ForwardingBlobStore] itself and by the stores that tests put before others.
class ForwardingBlobStoreTest extends DecoratorContract {
    @Override
    protected BlobStore decorate(BlobStore below) {
        return new ForwardingBlobStore(below) {};
    }

    @Nested
    class Faulty extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new FaultyBlobStore(below, FaultyBlobStore.Fault.BEFORE, Integer.MAX_VALUE);
        }
    }

    @Nested
    class Flipping extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new FlippingBlobStore(below, Integer.MAX_VALUE);
        }
    }

    @Nested
    class Hooked extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new HookedBlobStore(below, Integer.MAX_VALUE, () -> {});
        }
    }

    @Nested
    class Late extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new LateBlobStore(below);
        }

        @Override
        protected Set<String> answeredHere() {
            return Set.of("isRemote");
        }
    }

    @Nested
    class ReadHooks extends DecoratorContract {
        @Override
        protected BlobStore decorate(BlobStore below) {
            return new ReadHookBlobStore(below, (_, _) -> {});
        }
    }
}
