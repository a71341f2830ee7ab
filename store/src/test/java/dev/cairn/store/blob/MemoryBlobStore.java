package dev.cairn.store.blob;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Blobs on the heap, for tests that damage thousands of them.
public final class MemoryBlobStore implements BlobStore {
    private static final AtomicLong PLACES = new AtomicLong();

    public final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final String place = "memory-" + PLACES.incrementAndGet();

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        if (blobs.putIfAbsent(BlobNames.checked(name), content.clone()) != null) {
            throw new FileAlreadyExistsException(name);
        }
    }

    /// As in a folder, an incomplete blob exists as soon as it is started. If it is removed in the meantime, it is
    /// gone.
    @Override
    public BlobWriter write(String name) throws IOException {
        createIfAbsent(name, new byte[0]);
        return new Writer(name, Objects.requireNonNull(blobs.get(name)));
    }

    @Override
    public BlobWriter replace(String name) {
        BlobNames.checked(name);
        var content = new ByteArrayOutputStream();
        return new BlobWriter() {
            @Override
            public void append(MemorySegment bytes) {
                content.writeBytes(bytes.toArray(ValueLayout.JAVA_BYTE));
            }

            @Override
            public void finish() {
                blobs.put(name, content.toByteArray());
            }

            @Override
            public void close() {}
        };
    }

    private final class Writer implements BlobWriter {
        private final String name;
        private final byte[] begun;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();
        private boolean finished;

        Writer(String name, byte[] begun) {
            this.name = name;
            this.begun = begun;
        }

        @Override
        public void append(MemorySegment bytes) {
            content.writeBytes(bytes.toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void finish() {
            blobs.replace(name, begun, content.toByteArray());
            finished = true;
        }

        @Override
        public void close() {
            if (!finished) {
                delete(name);
            }
        }
    }

    @Override
    public BlobReader read(String name) throws IOException {
        byte[] content = blobs.get(BlobNames.checked(name));
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return new BlobReader() {
            @Override
            public long sizeBytes() {
                return content.length;
            }

            @Override
            public void read(long offset, MemorySegment target) throws IOException {
                if (offset + target.byteSize() > content.length) {
                    throw new EOFException(name);
                }
                MemorySegment.copy(MemorySegment.ofArray(content), offset, target, 0, target.byteSize());
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<String> listAll() {
        return List.copyOf(blobs.keySet());
    }

    @Override
    public List<String> list(String folder) {
        return blobs.keySet().stream().filter(name -> name.startsWith(folder)).toList();
    }

    @Override
    public void delete(String name) {
        blobs.remove(name);
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }
}
