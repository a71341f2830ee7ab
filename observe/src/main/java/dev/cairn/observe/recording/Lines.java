package dev.cairn.observe.recording;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Predicate;

/// The lines of one file, with a maximum total size. When it is reached, the kind that uses the most space
/// drops every second line, and from then on records half as many. Lines
/// are selected by their places, so the remaining ones are evenly spaced. Lines that readers need are never dropped.
/// Not
/// thread-safe.
public final class Lines {
    private static final String FIRST = "";

    private final long mostBytes;
    private final Predicate<String> isNeeded;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Kind> kinds = new HashMap<>();
    private long bytes;
    private int written;
    private boolean thinned;

    /// @param isNeeded the kinds of which no line is dropped
    public Lines(long mostBytes, Predicate<String> isNeeded) {
        this.mostBytes = mostBytes;
        this.isNeeded = isNeeded;
    }

    private static final class Line {
        private final String kind;
        private final long place;
        private final byte[] text;

        Line(String kind, long place, byte[] text) {
            this.kind = kind;
            this.place = place;
            this.text = text;
        }
    }

    /// The lines of one kind.
    private static final class Kind {
        private long stride = 1;
        private long next;
        private long bytes;
    }

    /// Puts this line before all others, and replaces the earlier first line.
    public void setFirst(byte[] header) {
        if (!lines.isEmpty() && lines.getFirst().kind.equals(FIRST)) {
            bytes -= lines.removeFirst().text.length;
        }
        lines.addFirst(new Line(FIRST, 0, header));
        bytes += header.length;
    }

    /// Adds a line, whose place is the number of lines of its kind before it.
    public void add(String kind, byte[] text) {
        Kind known = kinds.computeIfAbsent(kind, _ -> new Kind());
        add(known, new Line(kind, known.next++, text));
    }

    /// Adds a line with this place among those of its kind.
    public void add(String kind, long place, byte[] text) {
        add(kinds.computeIfAbsent(kind, _ -> new Kind()), new Line(kind, place, text));
    }

    /// Lines of this kind are kept if their place is a multiple of this.
    public long stride(String kind) {
        Kind known = kinds.get(kind);
        return known == null ? 1 : known.stride;
    }

    private void add(Kind kind, Line line) {
        if (line.place % kind.stride != 0) {
            return;
        }
        lines.add(line);
        kind.bytes += line.text.length;
        bytes += line.text.length;
        if (bytes > mostBytes) {
            thin();
        }
    }

    /// Drops lines until the size is well below the maximum, so that this is not needed again soon.
    private void thin() {
        while (bytes > mostBytes / 4 * 3) {
            String largest = largest();
            Kind kind = kinds.get(largest);
            if (kind == null || kind.bytes == 0) {
                return; // only lines that readers need are left
            }
            kind.stride *= 2;
            lines.removeIf(line -> {
                boolean gone = line.kind.equals(largest) && line.place % kind.stride != 0;
                if (gone) {
                    kind.bytes -= line.text.length;
                    bytes -= line.text.length;
                }
                return gone;
            });
            thinned = true;
        }
    }

    private String largest() {
        return kinds.entrySet().stream()
                .filter(kind -> !isNeeded.test(kind.getKey()))
                .max((one, other) -> Long.compare(one.getValue().bytes, other.getValue().bytes))
                .map(Entry::getKey)
                .orElse("");
    }

    /// Whether dropped lines may be in storage, so that all lines must be written again.
    public boolean isThinned() {
        return thinned;
    }

    /// Whether there is something to write.
    public boolean hasNew() {
        return thinned || written < lines.size();
    }

    /// Returns the lines that are not in storage yet. Valid only if no lines were dropped.
    public byte[] fresh() {
        return join(lines.subList(written, lines.size()));
    }

    /// Returns all lines.
    public byte[] all() {
        return join(lines);
    }

    /// Marks all lines as stored.
    public void written() {
        written = lines.size();
        thinned = false;
    }

    private static byte[] join(List<Line> lines) {
        var bytes = new ByteArrayOutputStream();
        lines.forEach(line -> bytes.writeBytes(line.text));
        return bytes.toByteArray();
    }
}
