package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.FreshStart;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.log.LogRecord.Pruned;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a run's log says, read once: which checkpoints there are, in which order, how they depend on each other,
/// and which files nothing needs any more. A value; the run may be elsewhere already.
public final class History {
    private final SortedMap<Long, LogRecord> records = new TreeMap<>();
    private final SortedMap<Long, StoreException> unreadable = new TreeMap<>();
    private final Map<String, Commit> newestForm = new HashMap<>();
    private final Set<Long> obsolete = new HashSet<>();
    /// The newest pruning since each fresh start (0: since the beginning). It alone counts: it says all that is
    /// left.
    private final NavigableMap<Long, Pruned> prunings = new TreeMap<>();

    /// Ids of checkpoints that have an older form still.
    private final Set<String> reformed = new HashSet<>();

    /// Numbers whose records this history leaves out.
    private final Set<Long> leftOut = new HashSet<>();

    private final List<String> leftovers = new ArrayList<>();
    private final List<String> staged = new ArrayList<>();
    private SortedMap<Long, List<String>> segments = new TreeMap<>();
    private List<Long> listed = List.of();
    private long lastStart;
    private long lastNumber;

    private History() {}

    /// What this log says now.
    ///
    /// @param segments the segments there are, by the number in their names
    public static History read(CommitLog log, SortedMap<Long, List<String>> segments) throws IOException {
        var history = new History();
        history.listed = log.numbers();
        log.remember(history.listed);
        for (LogReading.Outcome outcome : LogReading.read(log, history.listed)) {
            switch (outcome) {
                case LogReading.Outcome.Read(LogRecord entry) -> history.records.put(entry.number(), entry);
                case LogReading.Outcome.Failed(long number, StoreException damaged) ->
                    history.unreadable.put(number, damaged);
            }
        }
        history.lastNumber = history.listed.isEmpty() ? 0 : history.listed.getLast();
        history.conclude(segments);
        return history;
    }

    /// What the log would say if it did not have these records.
    public History without(Set<Long> numbers) {
        var history = new History();
        history.listed = listed;
        history.leftOut.addAll(numbers);
        records.forEach((number, entry) -> {
            if (!numbers.contains(number)) {
                history.records.put(number, entry);
            }
        });
        // Lost records are found anew, by their segments.
        unreadable.forEach((number, reason) -> {
            if (listed.contains(number)) {
                history.unreadable.put(number, reason);
            }
        });
        history.lastNumber = listed.isEmpty() ? 0 : listed.getLast();
        history.conclude(segments);
        return history;
    }

    private void conclude(SortedMap<Long, List<String>> there) {
        segments = there;
        findPrunings();
        dropFalsePrunings();
        findObsolete();
        findForms();
        explain();
    }

    /// Whether the run has neither records nor segments.
    public boolean isEmpty() {
        return listed.isEmpty() && segments.isEmpty();
    }

    /// Whether something could not be read and the log has changed meanwhile, which may be why.
    public boolean isOutdated(CommitLog log) throws IOException {
        return !unreadable.isEmpty() && hasChanged(log);
    }

    /// Whether the log has other records now; their names tell.
    public boolean hasChanged(CommitLog log) throws IOException {
        return !log.numbers().equals(listed);
    }

    /// What a fresh start or a pruning ended. Numbers before the last fresh start stay as they are, also where the
    /// record of that start is lost.
    ///
    /// A writer that was cut off and has lost the run may put one record where a pruning has made room: below that
    /// pruning, which does not keep it. Whatever that record says, it must change nothing.
    private void findPrunings() {
        for (LogRecord entry : records.values()) {
            switch (entry) {
                case FreshStart start -> lastStart = isVoid(start) ? lastStart : start.number();
                case Pruned pruned -> {
                    lastStart = Math.max(lastStart, pruned.since());
                    prunings.put(lastStart, pruned);
                }
                case Commit _ -> {}
                case TakenOver _ -> {}
            }
        }
    }

    /// A pruning that would end what it keeps needs is none of ours: it counts as damaged and ends nothing.
    private void dropFalsePrunings() {
        var left = new HashSet<String>();
        var ended = new HashMap<String, Pruned>();
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint) {
                Pruned pruning = pruningThatEnds(checkpoint.number());
                if (pruning == null) {
                    left.add(checkpoint.id());
                } else {
                    ended.put(checkpoint.id(), pruning);
                }
            }
        }
        var wrong = new TreeMap<Long, StoreException>();
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint
                    && checkpoint.parent() != null
                    && left.contains(checkpoint.id())
                    && !left.contains(checkpoint.parent().id())) {
                Pruned pruning = ended.get(checkpoint.parent().id());
                if (pruning != null && pruning.kept().contains(checkpoint.number())) {
                    wrong.put(
                            pruning.number(),
                            new DamagedException(
                                    RunFiles.record(pruning.number()),
                                    "it keeps number=%d and removes what that one needs, which no pruning does"
                                            .formatted(checkpoint.number())));
                }
            }
        }
        if (!wrong.isEmpty()) {
            records.keySet().removeAll(wrong.keySet());
            unreadable.putAll(wrong);
            prunings.clear();
            lastStart = 0;
            findPrunings();
            dropFalsePrunings();
        }
    }

    private void findObsolete() {
        Stream.of(records, unreadable)
                .flatMap(numbered -> numbered.keySet().stream())
                .filter(number -> pruningThatEnds(number) != null)
                .forEach(obsolete::add);
    }

    /// The pruning after which this number means nothing any more.
    private @Nullable Pruned pruningThatEnds(long number) {
        var pruning = prunings.lowerEntry(number);
        return pruning != null
                        && number < pruning.getValue().number()
                        && !pruning.getValue().kept().contains(number)
                ? pruning.getValue()
                : null;
    }

    /// A pruning keeps only what came after the last fresh start: where it keeps something older, that start was
    /// made after it.
    private boolean isVoid(FreshStart start) {
        return records.tailMap(start.number()).values().stream()
                .anyMatch(later -> later instanceof Pruned pruned
                        && pruned.kept().stream().anyMatch(kept -> kept < start.number()));
    }

    /// Of the forms of one checkpoint the newest counts; the others are obsolete.
    private void findForms() {
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint && !obsolete.contains(checkpoint.number())) {
                Commit older = newestForm.put(checkpoint.id(), checkpoint);
                if (older != null) {
                    obsolete.add(older.number());
                    reformed.add(checkpoint.id());
                }
            }
        }
    }

    /// Segments that no record names, by the number in their names. Where that number has a record, or was pruned,
    /// they are leftovers, whoever wrote them: what a save, a merge or a removal left that was cut off. Under the
    /// one number that comes next they are staged, and a commit may name them yet. All others tell of a lost
    /// record: that number counts as damaged, and nothing of it is removed. Nor is what may belong to a record that
    /// cannot be read.
    private void explain() {
        var named = new HashSet<String>();
        var replaced = new HashSet<Long>();
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint && !obsolete.contains(checkpoint.number())) {
                named.addAll(checkpoint.segmentNames());
                replaced.add(checkpoint.replaces());
            }
        }
        long damaged = lastDamaged();
        long next = lastNumber + 1;
        boolean onlyNext = segments.isEmpty() || segments.lastKey() <= next;
        segments.forEach((number, names) -> {
            boolean taken = records.containsKey(number)
                    || leftOut.contains(number)
                    || obsolete.contains(number)
                    || replaced.contains(number)
                    || pruningThatEnds(number) != null;
            for (String name : names) {
                if (named.contains(name)) {
                    continue;
                }
                if (taken) {
                    if (number > damaged) {
                        leftovers.add(name);
                    }
                } else if (number == next && onlyNext) {
                    staged.add(name);
                } else if (!unreadable.containsKey(number)) {
                    unreadable.put(
                            number,
                            new DamagedException(
                                    RunFiles.record(number), "file is missing, though its segments are there"));
                    lastNumber = Math.max(lastNumber, number);
                }
            }
        });
    }

    /// The number of the last fresh start; 0 where there was none.
    public long lastStart() {
        return lastStart;
    }

    /// The newest number that cannot be read, now or for good; 0 where there is none. What it was is not
    /// known: what came before it may be what it needs, or of before a fresh start.
    public long lastDamaged() {
        return unreadable.keySet().stream()
                .filter(number -> !obsolete.contains(number))
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /// The highest number that was ever taken; 0 for a new run.
    public long lastNumber() {
        return lastNumber;
    }

    /// The highest number whose record reads; 0 where there is none.
    public long lastReadable() {
        return records.isEmpty() ? 0 : records.lastKey();
    }

    /// The checkpoints of the run as it is now, oldest first, and the numbers that cannot be read.
    public List<Entry> current() {
        return entries(lastStart);
    }

    /// Those of [#current] whose records read, oldest first.
    public List<Commit> currentCheckpoints() {
        return current().stream()
                .filter(Entry.Intact.class::isInstance)
                .map(entry -> ((Entry.Intact) entry).checkpoint())
                .toList();
    }

    /// As [#current], with those of before the last fresh start.
    public List<Entry> all() {
        return entries(0);
    }

    private List<Entry> entries(long after) {
        var entries = new ArrayList<Entry>();
        newestForm.values().stream()
                .filter(checkpoint -> checkpoint.number() > after)
                .forEach(checkpoint -> entries.add(new Entry.Intact(checkpoint)));
        unreadable.forEach((number, reason) -> {
            if (number > after && !obsolete.contains(number)) {
                entries.add(new Entry.Unreadable(number, reason));
            }
        });
        entries.sort(Comparator.comparingLong(Entry::position));
        return entries;
    }

    /// The checkpoints that a reader of this one needs, the base first, itself last, each in its newest form.
    public List<Commit> chain(Commit tip) throws DamagedException {
        var chain = new ArrayList<Commit>();
        var seen = new HashSet<String>();
        Commit link = newestForm.getOrDefault(tip.id(), tip);
        chain.add(link);
        seen.add(link.id());
        for (Parent parent = link.parent(); parent != null; parent = link.parent()) {
            Commit found = newestForm.get(parent.id());
            if (found == null) {
                throw broken(link, parent, "which the log does not have");
            }
            if (!parent.digest().equals(found.digest())) {
                throw broken(link, parent, "whose values have digest=" + found.digest());
            }
            if (!seen.add(found.id())) {
                throw broken(link, parent, "which itself needs this one");
            }
            chain.add(found);
            link = found;
        }
        return chain.reversed();
    }

    private static DamagedException broken(Commit child, Parent parent, String why) {
        return new DamagedException(
                RunFiles.record(child.number()),
                "chain broken: delta number=%d step=%d needs parent id=%s digest=%s, %s"
                        .formatted(child.number(), child.step(), parent.id(), parent.digest(), why));
    }

    /// Whether this checkpoint is there still, in whatever form.
    public boolean has(Commit checkpoint) {
        return newestForm.containsKey(checkpoint.id());
    }

    /// The newest form of the checkpoint with this id; empty if the run does not have it.
    public Optional<Commit> find(String id) {
        return Optional.ofNullable(newestForm.get(id));
    }

    /// Whether this checkpoint has an older form whose record is there still.
    public boolean hasOlderForm(Commit checkpoint) {
        return reformed.contains(checkpoint.id());
    }

    /// All records of checkpoints, whether they count or not.
    public List<Commit> checkpoints() {
        return records.values().stream()
                .filter(Commit.class::isInstance)
                .map(Commit.class::cast)
                .toList();
    }

    /// Segments that nothing needs: what cut-off saves, merges and removals left.
    public List<String> leftovers() {
        return leftovers;
    }

    /// Segments under the number that comes next, which no record has named yet.
    public List<String> staged() {
        return staged;
    }

    /// Numbers whose records mean nothing any more.
    public Set<Long> obsoleteNumbers() {
        return obsolete;
    }

    /// The segments of an obsolete record that no other record names.
    public List<String> segmentsOf(long number) {
        if (!(records.get(number) instanceof Commit gone)) {
            return List.of();
        }
        return gone.segments().stream()
                .map(SegmentRef::name)
                .filter(name -> records.values().stream()
                        .noneMatch(entry -> entry instanceof Commit other
                                && !obsolete.contains(other.number())
                                && other.segments().stream()
                                        .anyMatch(segment -> segment.name().equals(name))))
                .toList();
    }
}
