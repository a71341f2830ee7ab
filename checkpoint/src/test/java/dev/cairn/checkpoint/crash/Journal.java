package dev.cairn.checkpoint.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/// What a worker knows to be committed, kept outside the run: the digest of every checkpoint as it read right after
/// its commit.
final class Journal implements AutoCloseable {
    private final FileChannel channel;

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    static Journal append(Path file) throws IOException {
        return new Journal(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /// One write, so that a kill leaves whole lines and at most one torn.
    void committed(String id, String digest) throws IOException {
        ByteBuffer line = UTF_8.encode("\n" + id + " " + digest + " .");
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    /// Digests by checkpoint id.
    static Map<String, String> read(Path file) throws IOException {
        var digests = new HashMap<String, String>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" ", -1);
                if (parts.length == 3 && parts[2].equals(".")) {
                    digests.put(parts[0], parts[1]);
                }
            }
        }
        return digests;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
