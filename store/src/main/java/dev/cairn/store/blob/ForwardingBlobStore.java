package dev.cairn.store.blob;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Hands every operation on to another store. A decorator extends this and changes what it is about: what it does not
/// know goes on working as in the store below.
public abstract class ForwardingBlobStore implements BlobStore {
    private final BlobStore below;

    /// Hands everything on to this store.
    ///
    /// @param below does the work
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
    public BlobReader read(String name) throws IOException {
        return below.read(name);
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
}
