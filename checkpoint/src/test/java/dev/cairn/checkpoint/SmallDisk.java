package dev.cairn.checkpoint;

import dev.cairn.store.BlobStore;
import dev.cairn.store.LocalBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A local store that takes so many bytes, each file in whole blocks, and no more; nor more than so many files.
record SmallDisk(Path run, BlobStore inner, long bytes, long files) implements BlobStore {
    private static final long BLOCK = 4096;

    SmallDisk(Path run, long bytes) {
        this(run, bytes, Long.MAX_VALUE);
    }

    SmallDisk(Path run, long bytes, long files) {
        this(run, new LocalBlobStore(run), bytes, files);
    }

    private void takeFile(String name) throws IOException {
        try (Stream<Path> all = Files.walk(run)) {
            if (all.filter(Files::isRegularFile).count() >= files) {
                throw noSpace(name);
            }
        }
    }

    private static FileSystemException noSpace(String name) {
        return new FileSystemException(name, null, "No space left on device");
    }

    @Override
    public long usableBytes() throws IOException {
        try (Stream<Path> files = Files.walk(run)) {
            return bytes
                    - files.filter(Files::isRegularFile)
                            .mapToLong(file -> Math.ceilDiv(file.toFile().length(), BLOCK) * BLOCK)
                            .sum();
        }
    }

    private void take(String name, long more) throws IOException {
        if (more > usableBytes()) {
            throw noSpace(name);
        }
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        takeFile(name);
        take(name, content.length);
        inner.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        takeFile(name);
        BlobWriter writer = inner.write(name);
        return new BlobWriter() {
            @Override
            public void append(MemorySegment part) throws IOException {
                take(name, part.byteSize());
                writer.append(part);
            }

            @Override
            public void finish() throws IOException {
                writer.finish();
            }

            @Override
            public void close() throws IOException {
                writer.close();
            }
        };
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return inner.read(name);
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
}
