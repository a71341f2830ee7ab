package dev.cairn.checkpoint.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What a worker knows to be committed, kept outside the run: every checkpoint with its digest as it read right after
/// its commit.
final class Journal implements AutoCloseable {
    private final FileChannel channel;

    /// A checkpoint that was committed.
    ///
    /// @param number the one that it first had
    /// @param digest of its values
    record Line(String id, long number, long step, String digest) {}

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    static Journal append(Path file) throws IOException {
        return new Journal(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /// One write, so that a kill leaves whole lines and at most one torn.
    void committed(Checkpoint checkpoint, String digest) throws IOException {
        ByteBuffer line = UTF_8.encode(
                "\n%s %d %d %s .".formatted(checkpoint.id(), checkpoint.number(), checkpoint.step(), digest));
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    static List<Line> read(Path file) throws IOException {
        var lines = new ArrayList<Line>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" ", -1);
                if (parts.length == 5 && parts[4].equals(".")) {
                    lines.add(new Line(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]));
                }
            }
        }
        return lines;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
