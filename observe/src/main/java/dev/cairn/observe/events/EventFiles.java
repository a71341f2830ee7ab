package dev.cairn.observe.events;

import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.EventsName;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Finds and reads the event files of a run, by attempt and process.
final class EventFiles {
    /// The maximum size of a file: more than a writer produces, but small enough that a forged file cannot
    /// exhaust memory.
    private static final long MOST_BYTES = 64L << 20;

    /// The maximum number of tries, because parts may be merged while they are read. Each try finds fewer parts.
    private static final int MOST_TRIES = 5;

    private final BlobStore store;

    EventFiles(BlobStore store) {
        this.store = store;
    }

    /// The processes of each attempt.
    SortedMap<Long, List<String>> attempts() throws IOException {
        var attempts = new TreeMap<Long, List<String>>();
        for (EventsName name : names()) {
            List<String> processes = attempts.computeIfAbsent(name.attempt(), _ -> new ArrayList<>());
            if (!processes.contains(name.process())) {
                processes.add(name.process());
            }
        }
        return attempts;
    }

    /// Reads the lines that a process recorded in an attempt, in order.
    List<RecordedEvent> read(long attempt, String process) throws IOException {
        for (int tries = 1; ; tries++) {
            var events = new ArrayList<RecordedEvent>();
            try {
                for (EventsName part : parts(attempt, process)) {
                    EventLineReader.read(attempt, process, content(part), events::add);
                }
                return events;
            } catch (NoSuchFileException merged) {
                if (tries == MOST_TRIES) {
                    throw merged;
                }
            }
        }
    }

    private byte[] content(EventsName name) throws IOException {
        try {
            return store.readAll(name.file(), MOST_BYTES);
        } catch (DamagedException noFile) {
            return new byte[0]; // a pipe, a folder, or too large: a training did not write it
        }
    }

    /// Returns the parts without those that a larger part contains: a killed writer may leave both.
    private List<EventsName> parts(long attempt, String process) throws IOException {
        List<EventsName> all = names().stream()
                .filter(name -> name.attempt() == attempt && name.process().equals(process))
                .toList();
        return all.stream()
                .filter(part -> all.stream().noneMatch(other -> !other.equals(part) && other.holds(part)))
                .toList();
    }

    private List<EventsName> names() throws IOException {
        return store.list(RunFiles.EVENTS).stream()
                .map(EventsName::parse)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(EventsName::attempt)
                        .thenComparing(EventsName::process)
                        .thenComparingLong(EventsName::first))
                .toList();
    }
}
