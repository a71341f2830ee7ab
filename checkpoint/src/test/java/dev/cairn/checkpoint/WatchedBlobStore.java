package dev.cairn.checkpoint;

import dev.cairn.store.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Storage that a test looks at, or breaks, before every operation.
record WatchedBlobStore(BlobStore inner, Watch watch) implements BlobStore {
    interface Watch {
        void before(String operation) throws IOException;
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        watch.before("create " + name);
        inner.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        watch.before("write " + name);
        BlobWriter writer = inner.write(name);
        return new BlobWriter() {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                writer.append(bytes);
            }

            @Override
            public void finish() throws IOException {
                watch.before("finish " + name);
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
        watch.before("read " + name);
        return inner.read(name);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        watch.before("list " + folder);
        return inner.list(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        watch.before("list");
        return inner.listAll();
    }

    @Override
    public void delete(String name) throws IOException {
        watch.before("delete " + name);
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
