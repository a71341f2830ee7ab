package dev.cairn.store.blob;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Storage behind a network: while it is cut off, whoever creates a blob hears of a failure, and the request is on its
/// way all the same. Its listings may lack a name.
public final class LateBlobStore extends ForwardingBlobStore {
    private final List<Late> onTheirWay = new ArrayList<>();
    private boolean cutOff;
    private boolean losesReply;
    private boolean losesRequest;
    private String hidden = "";
    private int listingsUntilHidden;

    public LateBlobStore(BlobStore below) {
        super(below);
    }

    private interface Late {
        void arrive() throws IOException;
    }

    public void cutOff(boolean now) {
        cutOff = now;
    }

    /// The next creation takes effect at once, and nobody hears of it.
    public void loseNextReply() {
        losesReply = true;
    }

    /// The next creation is reported as done, by something between, and never arrives.
    public void loseNextRequest() {
        losesRequest = true;
    }

    /// The n-th listing of its folder from now on lacks this name.
    public void hide(String name, int listing) {
        hidden = name;
        listingsUntilHidden = listing;
    }

    /// What is on its way takes effect, as far as it still can.
    public void deliver() throws IOException {
        for (Late late : onTheirWay) {
            try {
                late.arrive();
            } catch (FileAlreadyExistsException tooLate) {
                // As the server sees it.
            }
        }
        onTheirWay.clear();
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        if (losesRequest) {
            losesRequest = false;
            return;
        }
        if (cutOff) {
            onTheirWay.add(() -> super.createIfAbsent(name, content));
            throw new IOException("no reply");
        }
        super.createIfAbsent(name, content);
        if (losesReply) {
            losesReply = false;
            throw new IOException("no reply");
        }
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public List<String> list(String folder) throws IOException {
        List<String> names = super.list(folder);
        return names.contains(hidden) && --listingsUntilHidden == 0
                ? names.stream().filter(name -> !name.equals(hidden)).toList()
                : names;
    }

    @Override
    public Map<String, Long> sizes(String folder) throws IOException {
        var sizes = new HashMap<>(super.sizes(folder));
        sizes.keySet().retainAll(list(folder));
        return sizes;
    }
}
