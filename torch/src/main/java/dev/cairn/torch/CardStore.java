package dev.cairn.torch;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GroupMaker.Meeting;
import dev.cairn.engine.group.GroupMaker.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.FileStore;

/// Lets a group of several hosts form without a server of libtorch, whose port would be open to everyone: each
/// process has a store of its own, in a file. Gloo writes there how to reach this process. A thread passes that
/// on to the others, and adds what it gets from them.
final class CardStore implements AutoCloseable {
    /// No number of processes: the file is removed by this class.
    private static final int UNKNOWN = -1;

    private final Meeting meeting;
    private final Network network;
    private final Path file;

    CardStore(Meeting meeting, Network network) {
        this.meeting = meeting;
        this.network = network;
        try {
            this.file = Files.createTempFile("cairn-group-", "");
        } catch (IOException e) {
            throw new BrokenGroupException("no temporary file can be created: " + e.getMessage(), e);
        }
    }

    /// Opens the store for Gloo, which waits there for the others.
    FileStore open() {
        if (meeting.size() > 1) {
            Thread.ofPlatform().name("cairn-cards").daemon(true).start(this::passOn);
        }
        return new FileStore(file.toString(), UNKNOWN);
    }

    private void passOn() {
        try (var patience = new Milliseconds(meeting.patience().toMillis());
                var store = new FileStore(file.toString(), UNKNOWN)) {
            store.setTimeout(patience);
            byte[] mine;
            try (ByteVector written = store.get(key(meeting.rank()))) {
                mine = bytes(written);
            }
            List<byte[]> all = network.cards().exchange(mine);
            for (int rank = 0; rank < all.size(); rank++) {
                if (rank != meeting.rank()) {
                    try (var card = new ByteVector(all.get(rank))) {
                        store.set(key(rank), card);
                    }
                }
            }
        } catch (RuntimeException broken) {
            // The group does not form. Whoever waits for it is told by the supervisor.
        }
    }

    /// Where Gloo looks for the process of this rank.
    private static String key(int rank) {
        return "0/" + rank;
    }

    private static byte[] bytes(ByteVector vector) {
        byte[] bytes = new byte[(int) vector.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = vector.get(i);
        }
        return bytes;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // A small file in the folder of temporary files.
        }
    }
}
