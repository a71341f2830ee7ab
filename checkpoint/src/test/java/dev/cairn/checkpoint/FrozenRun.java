package dev.cairn.checkpoint;

import dev.cairn.store.blob.BlobStore;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The files of a run on the heap, for tests that damage them again and again. Nothing can be written.
final class FrozenRun implements BlobStore {
    private final Map<String, byte[]> files = new TreeMap<>();

    /// No files.
    FrozenRun() {}

    FrozenRun(Path run) throws IOException {
        try (Stream<Path> found = Files.walk(run)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                files.put(run.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
    }

    List<String> names() {
        return new ArrayList<>(files.keySet());
    }

    byte[] content(String name) throws NoSuchFileException {
        byte[] content = files.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return content;
    }

    void put(String name, byte[] content) {
        files.put(name, content);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        byte[] content = content(name);
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
    public BlobWriter replace(String name) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public List<String> list(String folder) {
        return files.keySet().stream().filter(name -> name.startsWith(folder)).toList();
    }

    @Override
    public List<String> listAll() {
        return names();
    }

    @Override
    public void createIfAbsent(String name, byte[] content) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public BlobWriter write(String name) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public void delete(String name) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public long usableBytes() {
        return 0;
    }
}
