package dev.cairn.checkpoint;

import dev.cairn.store.blob.ForwardingBlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A local store that takes so many bytes, each file in whole blocks, and no more; nor more than so many files,
/// whatever
/// the number of threads that create them.
public final class SmallDisk extends ForwardingBlobStore {
    private static final long BLOCK = 4096;

    private final Path run;
    private final long bytes;
    private final long files;

    public SmallDisk(Path run, long bytes) {
        this(run, bytes, Long.MAX_VALUE);
    }

    public SmallDisk(Path run, long bytes, long files) {
        super(new LocalBlobStore(run));
        this.run = run;
        this.bytes = bytes;
        this.files = files;
    }

    private void takeFile(String name) throws IOException {
        if (filesIn(run.toFile()).count() >= files) {
            throw noSpace(name);
        }
    }

    /// At any depth; one that others remove meanwhile may be among them or not.
    private static Stream<File> filesIn(File folder) {
        File[] entries = folder.listFiles();
        return entries == null
                ? Stream.of()
                : Stream.of(entries).flatMap(entry -> entry.isDirectory() ? filesIn(entry) : Stream.of(entry));
    }

    private static FileSystemException noSpace(String name) {
        return new FileSystemException(name, null, "No space left on device");
    }

    @Override
    public long usableBytes() {
        return bytes
                - filesIn(run.toFile())
                        .mapToLong(file -> Math.ceilDiv(file.length(), BLOCK) * BLOCK)
                        .sum();
    }

    private void take(String name, long more) throws IOException {
        if (more > usableBytes()) {
            throw noSpace(name);
        }
    }

    @Override
    public synchronized void createIfAbsent(String name, byte[] content) throws IOException {
        takeFile(name);
        take(name, content.length);
        super.createIfAbsent(name, content);
    }

    @Override
    public synchronized BlobWriter write(String name) throws IOException {
        takeFile(name);
        return new ForwardingWriter(super.write(name)) {
            @Override
            public void append(MemorySegment part) throws IOException {
                take(name, part.byteSize());
                super.append(part);
            }
        };
    }
}
