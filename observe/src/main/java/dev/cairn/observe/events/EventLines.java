package dev.cairn.observe.events;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/// The lines of one event file, with a maximum total size. When it is reached, the kind that uses the most space
/// drops every second line, and from then on records half as many. Steps are selected by their numbers, so the
/// remaining ones are evenly spaced. Lines that readers need are never dropped. Not thread-safe.
final class EventLines {
    private final long mostBytes;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Kind> kinds = new HashMap<>();
    private long bytes;
    private int written;
    private boolean thinned;

    EventLines(long mostBytes) {
        this.mostBytes = mostBytes;
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
    void setFirst(byte[] header) {
        if (!lines.isEmpty() && lines.getFirst().kind.equals(EventKinds.ATTEMPT)) {
            bytes -= lines.removeFirst().text.length;
        }
        lines.addFirst(new Line(EventKinds.ATTEMPT, 0, header));
        bytes += header.length;
    }

    /// Adds a line of a kind that does not occur at every step.
    void add(String kind, byte[] text) {
        Kind known = kinds.computeIfAbsent(kind, _ -> new Kind());
        add(known, new Line(kind, known.next++, text));
    }

    /// Adds the line of a step.
    void addStep(long step, byte[] text) {
        add(kinds.computeIfAbsent(EventKinds.STEP, _ -> new Kind()), new Line(EventKinds.STEP, step, text));
    }

    /// Steps are kept if their number is a multiple of this.
    long stride() {
        Kind steps = kinds.get(EventKinds.STEP);
        return steps == null ? 1 : steps.stride;
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
                .filter(kind -> !EventKinds.isNeeded(kind.getKey()))
                .max((one, other) -> Long.compare(one.getValue().bytes, other.getValue().bytes))
                .map(Entry::getKey)
                .orElse("");
    }

    /// Whether dropped lines may be in storage, so that all lines must be written again.
    boolean isThinned() {
        return thinned;
    }

    boolean hasNew() {
        return thinned || written < lines.size();
    }

    /// Returns the lines that are not in storage yet. Valid only if no lines were dropped.
    byte[] fresh() {
        return join(lines.subList(written, lines.size()));
    }

    byte[] all() {
        return join(lines);
    }

    /// Marks all lines as stored.
    void written() {
        written = lines.size();
        thinned = false;
    }

    private static byte[] join(List<Line> lines) {
        var bytes = new ByteArrayOutputStream();
        lines.forEach(line -> bytes.writeBytes(line.text));
        return bytes.toByteArray();
    }
}
