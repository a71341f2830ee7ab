package dev.cairn.checkpoint.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.segment.SegmentName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The commits that a worker knows of, stored outside the run: every checkpoint with its digest, read right after its
/// commit. Also the segments that it started to write for a merge, because their names do not say so.
final class Journal implements AutoCloseable {
    private final FileChannel channel;

    /// A committed checkpoint.
    ///
    /// @param number its first number
    /// @param digest the digest of its values
    record Line(String id, long number, long step, String digest) {}

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    static Journal append(Path file) throws IOException {
        return new Journal(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    void committed(Checkpoint checkpoint, String digest) throws IOException {
        write("\n%s %d %d %s .".formatted(checkpoint.id(), checkpoint.number(), checkpoint.step(), digest));
    }

    void merging(SegmentName segment) throws IOException {
        write("\nmerging %016x .".formatted(segment.random()));
    }

    /// A single write, so that a kill leaves complete lines and at most one incomplete line.
    private void write(String text) throws IOException {
        ByteBuffer line = UTF_8.encode(text);
        while (line.hasRemaining()) {
            channel.write(line);
        }
    }

    static List<Line> read(Path file) throws IOException {
        var lines = new ArrayList<Line>();
        for (String[] parts : linesOf(file, 5)) {
            lines.add(new Line(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]));
        }
        return lines;
    }

    /// The random parts of the names of segments that were started for a merge: they stay the same when a segment
    /// is renamed.
    static Set<Long> merges(Path file) throws IOException {
        var merges = new HashSet<Long>();
        for (String[] parts : linesOf(file, 3)) {
            merges.add(Long.parseUnsignedLong(parts[1], 16));
        }
        return merges;
    }

    /// The complete lines with this many words.
    private static List<String[]> linesOf(Path file, int words) throws IOException {
        var lines = new ArrayList<String[]>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split(" ", -1);
                if (parts.length == words && parts[words - 1].equals(".")) {
                    lines.add(parts);
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
