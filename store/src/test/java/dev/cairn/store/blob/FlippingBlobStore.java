package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that flips a bit of what its n-th read brings: what is stored is good, and once it comes out wrong.
final class FlippingBlobStore implements BlobStore {
    private final BlobStore inner;
    private final int flipAt;
    private final AtomicInteger reads = new AtomicInteger();

    FlippingBlobStore(BlobStore inner, int flipAt) {
        this.inner = inner;
        this.flipAt = flipAt;
    }

    int reads() {
        return reads.get();
    }

    @Override
    public BlobReader read(String name) throws IOException {
        BlobReader blob = inner.read(name);
        return new BlobReader() {
            @Override
            public long sizeBytes() throws IOException {
                return blob.sizeBytes();
            }

            @Override
            public void read(long offset, MemorySegment target) throws IOException {
                blob.read(offset, target);
                if (reads.incrementAndGet() == flipAt && target.byteSize() > 0) {
                    long at = target.byteSize() / 2;
                    target.set(ValueLayout.JAVA_BYTE, at, (byte) (target.get(ValueLayout.JAVA_BYTE, at) ^ 4));
                }
            }

            @Override
            public void close() throws IOException {
                blob.close();
            }
        };
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        inner.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        return inner.write(name);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return inner.list(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        return inner.listAll();
    }

    @Override
    public void delete(String name) throws IOException {
        inner.delete(name);
    }

    @Override
    public String place() throws IOException {
        return inner.place();
    }

    @Override
    public long usableBytes() throws IOException {
        return inner.usableBytes();
    }
}
