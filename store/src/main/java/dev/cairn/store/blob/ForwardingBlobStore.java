package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// Forwards every operation to another store. A decorator extends this class and overrides what it changes.
/// Everything else works as in the store below, including methods that the interface gains later. Decorators of
/// writers and readers extend [ForwardingWriter] and [ForwardingReader]. `ForwardingBlobStoreTest` fails if a method
/// is not forwarded.
public abstract class ForwardingBlobStore implements BlobStore {
    private final BlobStore below;

    /// Forwards everything to this store.
    ///
    /// @param below the store that does the work
    protected ForwardingBlobStore(BlobStore below) {
        this.below = below;
    }

    /// The store that does the work.
    protected final BlobStore below() {
        return below;
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        below.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        return below.write(name);
    }

    @Override
    public BlobWriter replace(String name) throws IOException {
        return below.replace(name);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return below.read(name);
    }

    @Override
    public BlobReader readUncached(String name) throws IOException {
        return below.readUncached(name);
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        return below.readAll(name, most);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return below.list(folder);
    }

    @Override
    public Map<String, Long> sizes(String folder) throws IOException {
        return below.sizes(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        return below.listAll();
    }

    @Override
    public void delete(String name) throws IOException {
        below.delete(name);
    }

    @Override
    public void copy(String name, String copy) throws IOException {
        below.copy(name, copy);
    }

    @Override
    public void rename(String name, String to) throws IOException {
        below.rename(name, to);
    }

    @Override
    public String place() throws IOException {
        return below.place();
    }

    @Override
    public boolean isRemote() {
        return below.isRemote();
    }

    @Override
    public long usableBytes() throws IOException {
        return below.usableBytes();
    }

    @Override
    public List<String> temporaries(String folder) throws IOException {
        return below.temporaries(folder);
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        below.deleteTemporary(name);
    }

    /// Forwards every operation to another writer.
    public abstract static class ForwardingWriter implements BlobWriter {
        private final BlobWriter below;

        /// Forwards everything to this writer.
        ///
        /// @param below the writer that does the work
        protected ForwardingWriter(BlobWriter below) {
            this.below = below;
        }

        @Override
        public void append(MemorySegment bytes) throws IOException {
            below.append(bytes);
        }

        @Override
        public void flush() throws IOException {
            below.flush();
        }

        @Override
        public void finish() throws IOException {
            below.finish();
        }

        @Override
        public void close() throws IOException {
            below.close();
        }
    }

    /// Forwards every operation to another reader.
    public abstract static class ForwardingReader implements BlobReader {
        private final BlobReader below;

        /// Forwards everything to this reader.
        ///
        /// @param below the reader that does the work
        protected ForwardingReader(BlobReader below) {
            this.below = below;
        }

        @Override
        public long sizeBytes() throws IOException {
            return below.sizeBytes();
        }

        @Override
        public void read(long offset, MemorySegment target) throws IOException {
            below.read(offset, target);
        }

        @Override
        public void close() throws IOException {
            below.close();
        }
    }
}
