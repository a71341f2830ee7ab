package dev.cairn.checkpoint;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.ForwardingBlobStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Storage that a test looks at, or breaks, before every operation.
public final class WatchedBlobStore extends ForwardingBlobStore {
    private final Watch watch;

    public interface Watch {
        void before(String operation) throws IOException;
    }

    public WatchedBlobStore(BlobStore below, Watch watch) {
        super(below);
        this.watch = watch;
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        watch.before("create " + name);
        super.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        watch.before("write " + name);
        return new ForwardingWriter(super.write(name)) {
            @Override
            public void finish() throws IOException {
                watch.before("finish " + name);
                super.finish();
            }
        };
    }

    @Override
    public BlobReader read(String name) throws IOException {
        watch.before("read " + name);
        return super.read(name);
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        watch.before("read " + name);
        return super.readAll(name, most);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        watch.before("list " + folder);
        return super.list(folder);
    }

    @Override
    public Map<String, Long> sizes(String folder) throws IOException {
        watch.before("list " + folder);
        return super.sizes(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        watch.before("list");
        return super.listAll();
    }

    @Override
    public void copy(String name, String copy) throws IOException {
        watch.before("copy " + name + " " + copy);
        super.copy(name, copy);
    }

    @Override
    public void rename(String name, String to) throws IOException {
        watch.before("rename " + name + " " + to);
        super.rename(name, to);
    }

    @Override
    public void delete(String name) throws IOException {
        watch.before("delete " + name);
        super.delete(name);
    }
}
