package dev.cairn.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// A store that stops before its n-th operation, of whatever kind, and lets the test do something first: what happens
/// to a process that is stopped there, while the world goes on.
public final class HookedBlobStore extends ForwardingBlobStore {
    private final int stopAt;
    private final Hook hook;
    private int operations;

    public interface Hook {
        void run() throws IOException;
    }

    public HookedBlobStore(BlobStore below, int stopAt, Hook hook) {
        super(below);
        this.stopAt = stopAt;
        this.hook = hook;
    }

    public boolean hasStopped() {
        return operations >= stopAt;
    }

    private void pass() throws IOException {
        if (++operations == stopAt) {
            hook.run();
        }
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        pass();
        super.createIfAbsent(name, content);
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        pass();
        return writer(super.write(name));
    }

    @Override
    public BlobWriter replace(String name) throws IOException {
        pass();
        return writer(super.replace(name));
    }

    private BlobWriter writer(BlobWriter below) {
        return new ForwardingWriter(below) {
            @Override
            public void append(MemorySegment bytes) throws IOException {
                pass();
                super.append(bytes);
            }

            @Override
            public void finish() throws IOException {
                pass();
                super.finish();
            }
        };
    }

    @Override
    public BlobReader read(String name) throws IOException {
        pass();
        return super.read(name);
    }

    @Override
    public BlobReader readUncached(String name) throws IOException {
        pass();
        return super.readUncached(name);
    }

    @Override
    public byte[] readAll(String name, long most) throws IOException {
        pass();
        return super.readAll(name, most);
    }

    @Override
    public List<String> list(String folder) throws IOException {
        pass();
        return super.list(folder);
    }

    @Override
    public Map<String, Long> sizes(String folder) throws IOException {
        pass();
        return super.sizes(folder);
    }

    @Override
    public List<String> listAll() throws IOException {
        pass();
        return super.listAll();
    }

    @Override
    public void delete(String name) throws IOException {
        pass();
        super.delete(name);
    }

    @Override
    public void copy(String name, String copy) throws IOException {
        pass();
        super.copy(name, copy);
    }

    @Override
    public void rename(String name, String to) throws IOException {
        pass();
        super.rename(name, to);
    }

    @Override
    public List<String> temporaries(String folder) throws IOException {
        pass();
        return super.temporaries(folder);
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        pass();
        super.deleteTemporary(name);
    }
}
