package dev.cairn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/// A file that another process is writing. What was written before [#close] can still be read after it.
final class Growing implements AutoCloseable {
    private final FileInputStream file;
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private final Queue<String> lines = new ArrayDeque<>();
    private boolean isOpen = true;

    Growing(Path file) throws IOException {
        this.file = new FileInputStream(file.toFile());
    }

    String text() throws IOException {
        readOn();
        return all.toString(UTF_8);
    }

    /// The next whole line, if it has been written. Each line is returned once.
    Optional<String> nextLine() throws IOException {
        if (lines.isEmpty()) {
            readOn();
        }
        return Optional.ofNullable(lines.poll());
    }

    private void readOn() throws IOException {
        byte[] more = isOpen ? file.readAllBytes() : new byte[0];
        all.writeBytes(more);
        for (byte each : more) {
            if (each == '\n') {
                lines.add(begun.toString(UTF_8));
                begun.reset();
            } else {
                begun.write(each);
            }
        }
    }

    @Override
    public void close() throws IOException {
        readOn();
        isOpen = false;
        file.close();
    }
}
