package dev.cairn.store.blob;

import dev.cairn.disk.UncachedFile;
import dev.cairn.store.blob.BlobStore.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Reads a file past the system's cache. Failed reads are retried, each time through the file opened anew.
final class UncachedReader implements BlobReader {
    private final String name;
    private final Path path;
    private final ReadPatience patience;
    private @Nullable UncachedFile open;

    /// @param name the name of the blob, for people
    UncachedReader(String name, Path path, ReadPatience patience) {
        this.name = name;
        this.path = path;
        this.patience = patience;
    }

    private interface Use<T> {
        T with(UncachedFile file) throws IOException;
    }

    private synchronized <T> T use(Use<T> use) throws IOException {
        return patience.read(path, () -> {
            UncachedFile file = open;
            if (file == null) {
                file = UncachedFile.open(path);
                open = file;
            }
            try {
                return use.with(file);
            } catch (EOFException end) {
                throw end;
            } catch (IOException e) {
                close();
                throw FileErrors.named(path, e);
            }
        });
    }

    @Override
    public long sizeBytes() throws IOException {
        return use(UncachedFile::sizeBytes);
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        use(file -> {
            if (file.read(offset, target) < target.byteSize()) {
                throw new EOFException("%s ends at byte %d, expected %d"
                        .formatted(name, file.sizeBytes(), offset + target.byteSize()));
            }
            return target;
        });
    }

    @Override
    public synchronized void close() throws IOException {
        UncachedFile file = open;
        open = null;
        if (file != null) {
            file.close();
        }
    }
}
