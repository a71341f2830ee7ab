package dev.cairn.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.Attributes;
import dev.cairn.store.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The bytes of a message: a tree of maps, lists, texts, bytes, numbers, booleans and null, each value behind a letter
/// that names its type. Numbers are little-endian; a double keeps its bits. `docs/SIDECAR.md` is the law.
final class Wire {
    /// Deeper than attributes may be nested, together with the message around them.
    private static final int DEEPEST = 110;

    private Wire() {}

    static byte[] encode(Map<String, ? extends @Nullable Object> message) {
        var out = new ByteArrayOutputStream();
        write(message, out);
        return out.toByteArray();
    }

    /// @throws IllegalArgumentException if the bytes are not a message
    static Attributes decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            if (!(read(in, 0) instanceof Map<?, ?> map) || in.hasRemaining()) {
                throw new IllegalArgumentException("a message must be one map");
            }
            var message = new LinkedHashMap<String, @Nullable Object>();
            map.forEach((key, value) -> message.put(String.valueOf(key), value));
            return Attributes.of(message);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a message ends too early", e);
        }
    }

    private static void write(@Nullable Object value, ByteArrayOutputStream out) {
        switch (value) {
            case null -> out.write('N');
            case Boolean flag -> out.write(flag ? 'T' : 'F');
            case Integer number -> number('I', number, out);
            case Long number -> number('I', number, out);
            case Double number -> number('D', Double.doubleToRawLongBits(number), out);
            case String text -> bytes('S', text.getBytes(UTF_8), out);
            case Bytes bytes -> bytes('B', bytes.toArray(), out);
            case List<?> list -> {
                length('L', list.size(), out);
                list.forEach(each -> write(each, out));
            }
            case Map<?, ?> map -> {
                length('M', map.size(), out);
                map.forEach((key, each) -> {
                    write(String.valueOf(key), out);
                    write(each, out);
                });
            }
            default -> throw new IllegalArgumentException("no message holds a " + value.getClass());
        }
    }

    private static void number(char type, long value, ByteArrayOutputStream out) {
        out.write(type);
        out.writeBytes(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array());
    }

    private static void length(char type, int value, ByteArrayOutputStream out) {
        out.write(type);
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
    }

    private static void bytes(char type, byte[] content, ByteArrayOutputStream out) {
        length(type, content.length, out);
        out.writeBytes(content);
    }

    private static @Nullable Object read(ByteBuffer in, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("a message is nested deeper than " + DEEPEST + " levels");
        }
        byte type = in.get();
        return switch (type) {
            case 'N' -> null;
            case 'T' -> true;
            case 'F' -> false;
            case 'I' -> in.getLong();
            case 'D' -> Double.longBitsToDouble(in.getLong());
            case 'S' -> new String(content(in), UTF_8);
            case 'B' -> Bytes.of(content(in));
            case 'L' -> {
                int size = size(in);
                var list = new ArrayList<@Nullable Object>(size);
                for (int i = 0; i < size; i++) {
                    list.add(read(in, depth + 1));
                }
                yield list;
            }
            case 'M' -> {
                int size = size(in);
                var map = new LinkedHashMap<String, @Nullable Object>();
                for (int i = 0; i < size; i++) {
                    if (!(read(in, depth + 1) instanceof String key)) {
                        throw new IllegalArgumentException("the keys of a map must be text");
                    }
                    map.put(key, read(in, depth + 1));
                }
                yield map;
            }
            default -> throw new IllegalArgumentException("unknown type of value: " + type);
        };
    }

    private static byte[] content(ByteBuffer in) {
        byte[] content = new byte[size(in)];
        in.get(content);
        return content;
    }

    /// A length that the rest of the message can have.
    private static int size(ByteBuffer in) {
        int size = in.getInt();
        if (size < 0 || size > in.remaining()) {
            throw new IllegalArgumentException("a length of " + size + " with " + in.remaining() + " bytes left");
        }
        return size;
    }
}
