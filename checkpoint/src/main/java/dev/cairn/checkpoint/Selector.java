package dev.cairn.checkpoint;

import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.retention.Candidate;
import dev.cairn.store.retention.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Which checkpoint of a run. Pure: it says which to try, and in what order; the first that verifies is the
/// one.
public sealed interface Selector {
    /// What [#parse] reads.
    String text();

    /// Those that may be meant, the one to try first at the beginning.
    ///
    /// @param entries of the run, oldest first
    List<Entry> inOrder(List<Entry> entries);

    /// Reads a step, `best` or `latest`; empty where the text is none of these.
    static Optional<Selector> parse(String text) {
        if (text.matches("[0-9]{1,18}")) {
            return Optional.of(new AtStep(Long.parseLong(text)));
        }
        return switch (text) {
            case "best" -> Optional.of(new Best(Metric.USUAL));
            case "latest" -> Optional.of(new Latest());
            default -> Optional.empty();
        };
    }

    /// The newest that verifies.
    record Latest() implements Selector {
        @Override
        public String text() {
            return "latest";
        }

        @Override
        public List<Entry> inOrder(List<Entry> entries) {
            return entries.reversed();
        }
    }

    /// The newest up to a step, or one that is so many before it, or the oldest where there are not as many.
    ///
    /// @param back 1 for the newest, 2 for the one before it
    record UpTo(long step, int back) implements Selector {
        @Override
        public String text() {
            return "%d before step %d".formatted(back, step);
        }

        @Override
        public List<Entry> inOrder(List<Entry> entries) {
            List<Entry> before = entries.reversed().stream()
                    .filter(entry -> entry instanceof Entry.Intact(Commit checkpoint) && checkpoint.step() <= step)
                    .toList();
            return before.subList(Math.max(0, Math.min(back, before.size()) - 1), before.size());
        }
    }

    /// The one of this step; of several the newest that verifies.
    record AtStep(long step) implements Selector {
        @Override
        public String text() {
            return Long.toString(step);
        }

        @Override
        public List<Entry> inOrder(List<Entry> entries) {
            return entries.reversed().stream()
                    .filter(entry -> entry instanceof Entry.Intact(Commit checkpoint) && checkpoint.step() == step)
                    .toList();
        }
    }

    /// The best by the first of these metrics that any checkpoint has; where it is damaged, the next best.
    record Best(List<Metric> metrics) implements Selector {
        public Best {
            metrics = List.copyOf(metrics);
        }

        @Override
        public String text() {
            return "best";
        }

        @Override
        public List<Entry> inOrder(List<Entry> entries) {
            var candidates = new ArrayList<Candidate>();
            var byPlace = new HashMap<Long, Entry>();
            for (Entry entry : entries) {
                if (entry instanceof Entry.Intact(Commit checkpoint)) {
                    candidates.add(Candidate.good(checkpoint));
                    byPlace.put(entry.position(), entry);
                }
            }
            return Metric.bestFirst(candidates, metrics).stream()
                    .map(candidate -> Objects.requireNonNull(byPlace.get(candidate.number())))
                    .toList();
        }
    }
}
