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

/// The files of events of a run, by attempt and process.
final class EventFiles {
    /// More than a writer makes, and not so much that a made-up file takes all memory.
    private static final long MOST_BYTES = 64L << 20;

    /// Parts are merged while they are read. Each time the parts that are left are fewer.
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

    /// What a process recorded in an attempt, in order.
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
            return new byte[0]; // a pipe, a folder, or far too large: nothing that a training wrote
        }
    }

    /// Without those that a larger one holds, too: its writer was killed before it removed them.
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
