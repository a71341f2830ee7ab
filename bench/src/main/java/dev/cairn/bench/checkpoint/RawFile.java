package dev.cairn.bench.checkpoint;

import dev.cairn.checkpoint.LiveTensor;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The state as a plain file, to measure the storage alone.
final class RawFile {
    private final Path file;

    RawFile(Path folder) {
        this.file = folder.resolve("raw");
    }

    /// Writes a new file and makes it durable. The file must not exist.
    void write(AdamState state) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (LiveTensor tensor : state.tensors()) {
                ByteBuffer bytes = tensor.memory().asByteBuffer();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
            channel.force(true);
        }
    }

    void read(AdamState state) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (LiveTensor tensor : state.tensors()) {
                ByteBuffer bytes = tensor.memory().asByteBuffer();
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes) < 0) {
                        throw new EOFException(file.toString());
                    }
                }
            }
        }
    }

    Path path() {
        return file;
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
