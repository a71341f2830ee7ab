package dev.cairn.observe.events;

import dev.cairn.observe.recording.RecordingFiles;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Reads the events of a run. A training may write at the same time. Only the events of one attempt are in memory
/// at a time.
///
/// A run that was killed and resumed made some steps twice. [#current] returns only the steps that led to the
/// current state:
///
/// - An attempt that resumed from step S supersedes the events of earlier attempts after step S.
/// - An attempt that started a new run, started fresh, or forked another run supersedes all earlier attempts.
/// - A training that went back to step S supersedes its earlier events after step S.
///
/// Events are ordered by attempt. In an attempt, the events of each process keep their order, and the events of
/// several processes are merged by time.
public final class RunEvents {
    /// The limit if nothing is superseded.
    private static final long NONE = Long.MAX_VALUE;

    /// The limit if everything is superseded.
    private static final long ALL = -1;

    private final RecordingFiles files;

    /// Reads the events of the run in this storage.
    public RunEvents(BlobStore store) {
        this.files = new RecordingFiles(store, Series.EVENTS);
    }

    /// Passes on the events that are not superseded.
    public void current(Consumer<RecordedEvent> events) throws IOException {
        SortedMap<Long, List<String>> attempts = files.attempts();
        SortedMap<Long, Long> limits = limits(attempts);
        for (Entry<Long, List<String>> attempt : attempts.entrySet()) {
            long limit = limits.getOrDefault(attempt.getKey(), NONE);
            if (limit == ALL) {
                continue;
            }
            var processes = new ArrayList<List<RecordedEvent>>();
            for (String process : attempt.getValue()) {
                processes.add(current(read(attempt.getKey(), process), limit));
            }
            merge(processes, events);
        }
    }

    /// Passes on all events, including superseded ones: these are steps that failures destroyed.
    public void all(Consumer<RecordedEvent> events) throws IOException {
        for (Entry<Long, List<String>> attempt : files.attempts().entrySet()) {
            var processes = new ArrayList<List<RecordedEvent>>();
            for (String process : attempt.getValue()) {
                processes.add(read(attempt.getKey(), process));
            }
            merge(processes, events);
        }
    }

    /// The starts that recorded events, and which processes did.
    public SortedMap<Long, List<String>> attempts() throws IOException {
        return files.attempts();
    }

    /// Passes on all events that one process recorded in one attempt.
    public void read(long attempt, String process, Consumer<RecordedEvent> events) throws IOException {
        files.read(
                attempt,
                process,
                values -> EventLineReader.event(attempt, process, values).ifPresent(events));
    }

    private List<RecordedEvent> read(long attempt, String process) throws IOException {
        var events = new ArrayList<RecordedEvent>();
        read(attempt, process, events::add);
        return events;
    }

    /// Returns the last valid step of each attempt, after which later attempts supersede it.
    private SortedMap<Long, Long> limits(SortedMap<Long, List<String>> attempts) throws IOException {
        var limits = new TreeMap<Long, Long>();
        long limit = NONE;
        for (long attempt :
                attempts.keySet().stream().sorted(Comparator.reverseOrder()).toList()) {
            limits.put(attempt, limit);
            if (limit == ALL) {
                continue; // earlier attempts are superseded completely
            }
            for (String process : attempts.getOrDefault(attempt, List.of())) {
                for (RecordedEvent event : read(attempt, process)) {
                    limit = Math.min(limit, supersedes(event));
                }
            }
        }
        return limits;
    }

    /// Returns the last step of earlier attempts that remains valid after this event.
    private static long supersedes(RecordedEvent event) {
        return switch (event.kind()) {
            case EventKinds.STARTED ->
                event.text("begin").orElse("").equals("resumed") ? event.step().orElse(0) : ALL;
            case EventKinds.WENT_BACK -> event.step().orElse(0);
            default -> NONE;
        };
    }

    /// Selects the valid events of one process.
    ///
    /// @param limit the last step that later attempts do not supersede
    private static List<RecordedEvent> current(List<RecordedEvent> events, long limit) {
        var kept = new ArrayList<RecordedEvent>();
        long last = limit;
        for (RecordedEvent event : events.reversed()) {
            if (event.step().orElse(0) <= last) {
                kept.add(event);
            }
            if (event.kind().equals(EventKinds.WENT_BACK)) {
                last = Math.min(last, event.step().orElse(0));
            }
        }
        return kept.reversed();
    }

    /// The position in the events of a process.
    private record Place(List<RecordedEvent> events, int next) {
        RecordedEvent event() {
            return events.get(next);
        }
    }

    private static void merge(List<List<RecordedEvent>> processes, Consumer<RecordedEvent> events) {
        var heads = new PriorityQueue<Place>(
                Comparator.comparing((Place place) -> place.event().time())
                        .thenComparing(place -> place.event().process()));
        processes.stream().filter(each -> !each.isEmpty()).forEach(each -> heads.add(new Place(each, 0)));
        while (!heads.isEmpty()) {
            Place place = heads.remove();
            events.accept(place.event());
            if (place.next() + 1 < place.events().size()) {
                heads.add(new Place(place.events(), place.next() + 1));
            }
        }
    }
}
