package dev.cairn.observe.tensorboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Reads the event files of a folder as TensorBoard does, written from its message definitions: in order of their
/// names, and without what a later start supersedes. A record that is torn ends its file; one with a wrong checksum is
/// an error.
final class EventReader {
    /// A point of a curve.
    record Point(long step, double wallTime, double value) {}

    /// A histogram at a step.
    record Shape(long step, double least, double most, double count, List<Double> limits, List<Double> counts) {}

    /// A text at a step.
    record Note(long step, String text) {}

    final Map<String, List<Point>> scalars = new TreeMap<>();
    final Map<String, List<Shape>> histograms = new TreeMap<>();
    final Map<String, List<Note>> texts = new TreeMap<>();
    private boolean begun;

    static EventReader of(Path folder) throws IOException {
        var reader = new EventReader();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                reader.read(Files.readAllBytes(file));
            }
        }
        return reader;
    }

    List<Point> scalars(String tag) {
        return scalars.getOrDefault(tag, List.of());
    }

    List<Shape> histograms(String tag) {
        return histograms.getOrDefault(tag, List.of());
    }

    List<Note> texts(String tag) {
        return texts.getOrDefault(tag, List.of());
    }

    List<Long> steps(String tag) {
        return scalars(tag).stream().map(Point::step).toList();
    }

    private void read(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        boolean first = true;
        while (bytes.remaining() >= Frame.HEADER_BYTES) {
            int start = bytes.position();
            long length = bytes.getLong();
            check(bytes.getInt(), file, start, Long.BYTES);
            if (bytes.remaining() < length + Frame.FOOTER_BYTES) {
                return;
            }
            int from = bytes.position();
            bytes.position(from + (int) length);
            check(bytes.getInt(), file, from, (int) length);
            var event = new Fields(ByteBuffer.wrap(file, from, (int) length).slice());
            if (first && !event.text(3).equals("brain.Event:2")) {
                throw new IllegalStateException("a file begins with its version");
            }
            first = false;
            event(event);
        }
    }

    private static void check(int stored, byte[] bytes, int from, int count) {
        if (stored != Frame.checksum(bytes, from, count)) {
            throw new IllegalStateException("wrong checksum at " + from);
        }
    }

    private void event(Fields event) {
        long step = event.integer(2);
        for (Fields session : event.messages(7)) {
            if (session.integer(1) == 1) {
                if (begun) {
                    scalars.values().forEach(points -> points.removeIf(point -> point.step >= step));
                    histograms.values().forEach(shapes -> shapes.removeIf(shape -> shape.step >= step));
                    texts.values().forEach(notes -> notes.removeIf(note -> note.step >= step));
                }
                begun = true;
            }
        }
        for (Fields summary : event.messages(5)) {
            summary.messages(1).forEach(value -> value(event.float64(1), step, value));
        }
    }

    private void value(double wallTime, long step, Fields value) {
        String tag = value.text(1);
        if (value.has(2)) {
            scalars.computeIfAbsent(tag, _ -> new ArrayList<>()).add(new Point(step, wallTime, value.float32(2)));
        }
        for (Fields histogram : value.messages(5)) {
            histograms
                    .computeIfAbsent(tag, _ -> new ArrayList<>())
                    .add(new Shape(
                            step,
                            histogram.float64(1),
                            histogram.float64(2),
                            histogram.float64(3),
                            histogram.float64s(6),
                            histogram.float64s(7)));
        }
        for (Fields tensor : value.messages(8)) {
            texts.computeIfAbsent(tag, _ -> new ArrayList<>()).add(new Note(step, tensor.text(8)));
        }
    }

    /// The fields of a message, by their numbers.
    private static final class Fields {
        private final Map<Integer, List<ByteBuffer>> found = new TreeMap<>();

        Fields(ByteBuffer bytes) {
            bytes.order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                int tag = (int) varint(bytes);
                int length = switch (tag & 7) {
                    case 0 -> {
                        int start = bytes.position();
                        varint(bytes);
                        int size = bytes.position() - start;
                        bytes.position(start);
                        yield size;
                    }
                    case 1 -> Long.BYTES;
                    case 2 -> (int) varint(bytes);
                    case 5 -> Integer.BYTES;
                    default -> throw new IllegalStateException("no such type: " + (tag & 7));
                };
                found.computeIfAbsent(tag >>> 3, _ -> new ArrayList<>())
                        .add(bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN));
                bytes.position(bytes.position() + length);
            }
        }

        private static long varint(ByteBuffer bytes) {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = bytes.get();
                value |= (next & 0x7fL) << shift;
                if (next >= 0) {
                    return value;
                }
            }
        }

        private ByteBuffer first(int field) {
            return Objects.requireNonNull(found.get(field)).getFirst();
        }

        boolean has(int field) {
            return found.containsKey(field);
        }

        long integer(int field) {
            return has(field) ? varint(first(field).duplicate()) : 0;
        }

        double float64(int field) {
            return has(field) ? first(field).getDouble(0) : 0;
        }

        float float32(int field) {
            return first(field).getFloat(0);
        }

        List<Double> float64s(int field) {
            var values = new ArrayList<Double>();
            ByteBuffer packed = first(field);
            for (int i = 0; i < packed.limit(); i += Double.BYTES) {
                values.add(packed.getDouble(i));
            }
            return values;
        }

        String text(int field) {
            return has(field) ? UTF_8.decode(first(field).duplicate()).toString() : "";
        }

        List<Fields> messages(int field) {
            return found.getOrDefault(field, List.of()).stream()
                    .map(bytes -> new Fields(bytes.duplicate()))
                    .toList();
        }
    }
}
