package dev.cairn.observe.events;

import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The events of a run, read back. A training may write them meanwhile. Only the events of one attempt are in memory at
/// a time.
///
/// A run that was killed and resumed made some steps twice. [#current] gives the steps that led to where the run is:
///
/// - An attempt that resumed from step S supersedes what earlier attempts recorded of steps beyond S.
/// - An attempt that began a new run, started over, or forked another run supersedes all earlier ones.
/// - A training that went back to step S supersedes what was recorded of steps beyond S before.
///
/// Events come in the order of their attempts. Those of one attempt come in the order in which their processes recorded
/// them; of several processes the earliest comes first.
public final class RunEvents {
    /// Nothing is superseded.
    private static final long NONE = Long.MAX_VALUE;

    /// All is superseded.
    private static final long ALL = -1;

    private final EventFiles files;

    /// Of the run that is stored here.
    public RunEvents(BlobStore store) {
        this.files = new EventFiles(store);
    }

    /// Passes on the events that were not superseded.
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
                processes.add(current(files.read(attempt.getKey(), process), limit));
            }
            merge(processes, events);
        }
    }

    /// Passes on all events, superseded ones too: what was trained, and lost by failures.
    public void all(Consumer<RecordedEvent> events) throws IOException {
        for (Entry<Long, List<String>> attempt : files.attempts().entrySet()) {
            var processes = new ArrayList<List<RecordedEvent>>();
            for (String process : attempt.getValue()) {
                processes.add(files.read(attempt.getKey(), process));
            }
            merge(processes, events);
        }
    }

    /// For each attempt the last step that no later attempt superseded.
    private SortedMap<Long, Long> limits(SortedMap<Long, List<String>> attempts) throws IOException {
        var limits = new TreeMap<Long, Long>();
        long limit = NONE;
        for (long attempt :
                attempts.keySet().stream().sorted(Comparator.reverseOrder()).toList()) {
            limits.put(attempt, limit);
            if (limit == ALL) {
                continue; // nothing before can matter
            }
            for (String process : attempts.getOrDefault(attempt, List.of())) {
                for (RecordedEvent event : files.read(attempt, process)) {
                    limit = Math.min(limit, supersedes(event));
                }
            }
        }
        return limits;
    }

    /// The last step of earlier attempts that this event leaves.
    private static long supersedes(RecordedEvent event) {
        return switch (event.kind()) {
            case EventKinds.STARTED ->
                event.text("begin").orElse("").equals("resumed") ? event.step().orElse(0) : ALL;
            case EventKinds.WENT_BACK -> event.step().orElse(0);
            default -> NONE;
        };
    }

    /// What is left of the events of one process.
    ///
    /// @param limit the last step that later attempts left
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

    /// How far a process is.
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
