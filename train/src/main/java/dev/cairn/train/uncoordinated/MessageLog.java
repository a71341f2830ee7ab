package dev.cairn.train.uncoordinated;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What one process has sent and received, as lines of a file of its own. A line is handed to the system at once, so
/// the
/// death of the process loses none.
///
/// A worker writes `pull K U` when it has its K-th weights, which have the first U updates of the server, and `push K`
/// before it sends their gradient. The server writes `update U W K` when the K-th gradient of worker W has made its
/// U-th
/// update. Both write `back S N` when they go back to their checkpoint of step S: what they did after it is undone, and
/// so are their later checkpoints up to record N. The step of a worker is the number of its pulls and pushes.
public final class MessageLog implements AutoCloseable {
    /// The name of the file in the folder of a process.
    public static final String FILE = "messages.log";

    private final FileChannel file;

    private MessageLog(FileChannel file) {
        this.file = file;
    }

    /// Continues the log of the process in this folder. The end of a line that was cut off by a crash is ended.
    static MessageLog in(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path path = folder.resolve(FILE);
        String before = Files.exists(path) ? Files.readString(path) : "";
        var log = new MessageLog(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
        if (!before.isEmpty() && !before.endsWith("\n")) {
            log.write("");
        }
        return log;
    }

    void pull(long number, long updates) {
        write("pull %d %d".formatted(number, updates));
    }

    void push(long number) {
        write("push " + number);
    }

    void update(long number, int worker, long push) {
        write("update %d %d %d".formatted(number, worker, push));
    }

    void back(long step, long record) {
        write("back %d %d".formatted(step, record));
    }

    private void write(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
