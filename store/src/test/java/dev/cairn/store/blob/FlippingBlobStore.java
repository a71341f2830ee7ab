package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that flips a bit of what its n-th read brings: what is stored is good, and once it comes out wrong.
final class FlippingBlobStore extends ForwardingBlobStore {
    private final int flipAt;
    private final AtomicInteger reads = new AtomicInteger();

    FlippingBlobStore(BlobStore below, int flipAt) {
        super(below);
        this.flipAt = flipAt;
    }

    int reads() {
        return reads.get();
    }

    private void flip(MemorySegment bytes) {
        if (reads.incrementAndGet() == flipAt && bytes.byteSize() > 0) {
            long at = bytes.byteSize() / 2;
            bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (bytes.get(ValueLayout.JAVA_BYTE, at) ^ 4));
        }
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return reader(super.read(name));
    }

    @Override
    public BlobReader readUncached(String name) throws IOException {
        return reader(super.readUncached(name));
    }

    private BlobReader reader(BlobReader below) {
        return new ForwardingReader(below) {
            @Override
            public void read(long offset, MemorySegment target) throws IOException {
                super.read(offset, target);
                flip(target);
            }
        };
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        byte[] bytes = super.readAll(name, most);
        flip(MemorySegment.ofArray(bytes));
        return bytes;
    }
}
