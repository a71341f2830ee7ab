package dev.cairn.app.train;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/// `progress.jsonl` in the run's folder: a line every two seconds, the newest last, for schedulers and
/// scripts. Begun anew when it reaches a megabyte. It is a courtesy: where it cannot be written the
/// training goes on without it. What is no file is left alone: a link would lead elsewhere, a pipe would
/// wait for a reader.
final class ProgressFile {
    private static final String NAME = "progress.jsonl";
    private static final long INTERVAL_NANOS = 2_000_000_000L;
    private static final long LARGEST_BYTES = 1 << 20;

    private final Path file;
    private long lastNanos;
    private boolean written;

    ProgressFile(Path run) {
        this.file = run.resolve(NAME);
    }

    /// Writes the line if the last one is two seconds old.
    void write(ObjectNode line) {
        long now = System.nanoTime();
        if (written && now - lastNanos < INTERVAL_NANOS) {
            return;
        }
        lastNanos = now;
        writeLast(line);
    }

    /// Writes the line in any case.
    void writeLast(ObjectNode line) {
        written = true;
        String text = Json.text(line.put("time", Instant.now().toString())) + "\n";
        try {
            boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            if (there && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            boolean full = there && Files.size(file) > LARGEST_BYTES;
            Files.writeString(
                    file,
                    text,
                    UTF_8,
                    StandardOpenOption.CREATE,
                    full ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException unwritten) {
            // The next line may succeed; saves report the same trouble where it matters.
        }
    }
}
