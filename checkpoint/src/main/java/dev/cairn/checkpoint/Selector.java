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

/// Selects a checkpoint of a run. A selector is pure: it says which checkpoints to try and in which order. The
/// first one that verifies is selected.
public sealed interface Selector {
    /// The text form. [#parse] reads that of a step, `best` and `latest`.
    String text();

    /// Returns the entries to try, in this order.
    ///
    /// @param entries the entries of the run, oldest first
    List<Entry> inOrder(List<Entry> entries);

    /// Reads a step, `best` or `latest`; empty if the text is none of these.
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

    /// The newest checkpoint that verifies.
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

    /// Of the checkpoints up to a step, one of the newest; the oldest if there are fewer.
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

    /// The checkpoint of this step; if there are several, the newest that verifies.
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

    /// The best checkpoint by the first of these metrics that any checkpoint has; if it is damaged, the next
    /// best.
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
