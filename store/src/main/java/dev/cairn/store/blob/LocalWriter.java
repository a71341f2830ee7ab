package dev.cairn.store.blob;

import dev.cairn.disk.NewFile;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes one blob as a new file. The file is removed if it is closed before it is finished.
final class LocalWriter implements BlobWriter {
    private final Path path;
    private final NewFile file;
    private boolean finished;

    LocalWriter(Path path) throws IOException {
        this.path = path;
        this.file = NewFile.create(path);
    }

    /// An operation on the file.
    private interface Operation {
        void run() throws IOException;
    }

    private void named(Operation operation) throws IOException {
        try {
            operation.run();
        } catch (IOException e) {
            throw FileErrors.named(path, e);
        }
    }

    @Override
    public void append(MemorySegment bytes) throws IOException {
        named(() -> file.append(bytes));
    }

    @Override
    public void flush() throws IOException {
        named(file::flush);
    }

    /// Makes the content durable, but not yet the name. The file stays.
    void sync() throws IOException {
        named(file::finish);
        finished = true;
    }

    @Override
    public void finish() throws IOException {
        named(() -> {
            file.finish();
            file.close();
        });
        LocalFolders.sync(LocalFolders.of(path));
        finished = true;
    }

    @Override
    public void close() throws IOException {
        try {
            named(file::close);
        } finally {
            if (!finished) {
                Files.deleteIfExists(path);
            }
        }
    }
}
