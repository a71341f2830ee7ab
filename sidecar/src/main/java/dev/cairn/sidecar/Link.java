package dev.cairn.sidecar;

import dev.cairn.store.Attributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The socket to the training: whole messages in both directions. One thread reads; any thread sends. Sending to a
/// training that is gone does nothing.
final class Link implements AutoCloseable {
    /// The largest message: more than all attributes of a checkpoint and the names of a million tensors.
    private static final int LARGEST = 256 << 20;

    /// How often to look whether the training is still there. A process that it forked may hold its end of the socket.
    private static final long WATCH_MILLIS = 1000;

    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;
    private final Training training;

    Link(SocketChannel channel, Training training) throws IOException {
        this.channel = channel;
        this.training = training;
        channel.configureBlocking(false);
        this.readable = Selector.open();
        this.writable = Selector.open();
        channel.register(readable, SelectionKey.OP_READ);
        channel.register(writable, SelectionKey.OP_WRITE);
    }

    /// The next message; empty if the training has closed its end, or is gone and has sent nothing more.
    Optional<Attributes> next() throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (!fill(length)) {
            return Optional.empty();
        }
        int size = length.getInt(0);
        if (size < 0 || size > LARGEST) {
            throw new IOException("a message of " + size + " bytes is no message");
        }
        ByteBuffer message = ByteBuffer.allocate(size);
        return fill(message) ? Optional.of(Wire.decode(message.array())) : Optional.empty();
    }

    /// False at the end, also inside of a message: its sender died before it was complete.
    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int count;
            try {
                count = channel.read(buffer);
            } catch (IOException reset) {
                return false;
            }
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                readable.selectedKeys().clear();
                if (readable.select(WATCH_MILLIS) == 0 && !training.isAlive()) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Sends a message of this type.
    synchronized void send(String type, Map<String, ? extends @Nullable Object> content) {
        var message = new LinkedHashMap<String, @Nullable Object>(content);
        message.put("type", type);
        byte[] bytes = Wire.encode(message);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(bytes.length)
                .put(bytes)
                .flip();
        try {
            while (frame.hasRemaining()) {
                if (channel.write(frame) == 0) {
                    writable.selectedKeys().clear();
                    if (writable.select(WATCH_MILLIS) == 0 && !training.isAlive()) {
                        return;
                    }
                }
            }
        } catch (IOException gone) {
            // The reader notices.
        }
    }

    @Override
    public void close() throws IOException {
        readable.close();
        writable.close();
        channel.close();
    }
}
