package dev.cairn.observe.events;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/// The lines of one file of events, bounded in size. When they reach the bound, the kind that takes the most room keeps
/// every second of its lines, and from then on takes half as many. Steps are kept by their numbers, so those that are
/// left are equally far apart. Lines that readers need are never dropped. For one thread.
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

    /// What is known of the lines of one kind.
    private static final class Kind {
        private long stride = 1;
        private long next;
        private long bytes;
    }

    /// Puts this line before all others, in place of the one that was put there before.
    void setFirst(byte[] header) {
        if (!lines.isEmpty() && lines.getFirst().kind.equals(EventKinds.ATTEMPT)) {
            bytes -= lines.removeFirst().text.length;
        }
        lines.addFirst(new Line(EventKinds.ATTEMPT, 0, header));
        bytes += header.length;
    }

    /// Adds a line of a kind that is not made for every step.
    void add(String kind, byte[] text) {
        Kind known = kinds.computeIfAbsent(kind, _ -> new Kind());
        add(known, new Line(kind, known.next++, text));
    }

    /// Adds the line of a step.
    void addStep(long step, byte[] text) {
        add(kinds.computeIfAbsent(EventKinds.STEP, _ -> new Kind()), new Line(EventKinds.STEP, step, text));
    }

    /// Of the steps, those whose number is a multiple of this are kept.
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

    /// Well below the bound, so that it does not happen again at once.
    private void thin() {
        while (bytes > mostBytes / 4 * 3) {
            String largest = largest();
            Kind kind = kinds.get(largest);
            if (kind == null || kind.bytes == 0) {
                return; // only what is needed is left
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

    /// Whether lines were dropped that may be on storage: all must be written anew.
    boolean isThinned() {
        return thinned;
    }

    boolean hasNew() {
        return thinned || written < lines.size();
    }

    /// What is not on storage yet, provided that nothing was dropped.
    byte[] fresh() {
        return join(lines.subList(written, lines.size()));
    }

    byte[] all() {
        return join(lines);
    }

    /// All of it is on storage now.
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
