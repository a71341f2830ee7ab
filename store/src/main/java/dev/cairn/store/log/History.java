package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import dev.cairn.store.MissingParentException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.segment.SegmentRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The contents of a run's log, read once: the checkpoints, their order, their dependencies, and the files that are
/// no longer needed. A value: the run may have changed since.
public final class History {
    private final SortedMap<Long, LogRecord> records = new TreeMap<>();
    private final SortedMap<Long, StoreException> unreadable = new TreeMap<>();
    private final Map<String, Commit> newestForm = new HashMap<>();
    private final Set<Long> obsolete = new HashSet<>();
    /// The ids of checkpoints that still have an older form.
    private final Set<String> reformed = new HashSet<>();

    /// The numbers whose records this history leaves out.
    private final Set<Long> leftOut = new HashSet<>();

    private UnnamedSegments unnamed = new UnnamedSegments(List.of(), List.of(), new TreeSet<>());
    private SortedMap<Long, List<String>> segments = new TreeMap<>();
    private final SortedMap<Long, DamagedException> damagedRecords = new TreeMap<>();
    private RecordPlaces.Listing listing = new RecordPlaces.Listing(List.of(), Set.of(), Set.of());
    private Prunings prunings = Prunings.NONE;
    private long lastNumber;

    private History() {}

    /// Reads the log as it is now.
    ///
    /// @param segments the existing segments, by the number in their names
    public static History read(CommitLog log, SortedMap<Long, List<String>> segments) throws IOException {
        var history = new History();
        history.listing = log.list();
        List<Long> listed = history.listing.numbers();
        log.remember(listed);
        for (LogReading.Outcome outcome : LogReading.read(log, listed)) {
            switch (outcome) {
                case LogReading.Outcome.Read read -> {
                    long number = read.entry().number();
                    history.records.put(number, read.entry());
                    Optional.ofNullable(read.damage()).ifPresent(damage -> history.damagedRecords.put(number, damage));
                }
                case LogReading.Outcome.Failed(long number, StoreException damaged) ->
                    history.unreadable.put(number, damaged);
            }
        }
        history.lastNumber = listed.isEmpty() ? 0 : listed.getLast();
        history.conclude(segments);
        return history;
    }

    /// The history that the log would have without these records.
    public History without(Set<Long> numbers) {
        var history = new History();
        List<Long> listed = listing.numbers();
        history.listing = listing;
        history.damagedRecords.putAll(damagedRecords);
        history.leftOut.addAll(numbers);
        records.forEach((number, entry) -> {
            if (!numbers.contains(number)) {
                history.records.put(number, entry);
            }
        });
        // Lost records are found again by their segments.
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
        prunings = Prunings.in(records, unreadable);
        findObsolete();
        findForms();
        explain();
    }

    /// Whether the run has neither records nor segments.
    public boolean isEmpty() {
        return listing.numbers().isEmpty() && segments.isEmpty();
    }

    /// Why one of the numbers cannot be read; empty if all can be read. If the log [has changed][#hasChanged]
    /// since, that may be the reason.
    public Optional<StoreException> anyUnreadable() {
        return unreadable.values().stream().findFirst();
    }

    /// Whether the log has other records now. Only their names are compared.
    public boolean hasChanged(CommitLog log) throws IOException {
        return !log.numbers().equals(listing.numbers());
    }

    private void findObsolete() {
        Stream.of(records, unreadable)
                .flatMap(numbered -> numbered.keySet().stream())
                .filter(number -> prunings.end(number))
                .forEach(obsolete::add);
    }

    /// Of the forms of one checkpoint only the newest counts. The others are obsolete.
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

    /// Sorts the segments that no record names. A number whose record was lost counts as damaged, and nothing of it is
    /// removed.
    private void explain() {
        var named = new HashSet<String>();
        var taken = new HashSet<Long>(records.keySet());
        taken.addAll(leftOut);
        taken.addAll(obsolete);
        for (LogRecord entry : records.values()) {
            if (entry instanceof Commit checkpoint && !obsolete.contains(checkpoint.number())) {
                named.addAll(checkpoint.segmentNames());
                taken.add(checkpoint.replaces());
            }
        }
        unnamed = UnnamedSegments.of(
                segments,
                new UnnamedSegments.Log(
                        named,
                        number -> taken.contains(number) || prunings.end(number),
                        lastDamaged(),
                        lastNumber + 1));
        for (long number : unnamed.lost()) {
            if (unreadable.putIfAbsent(number, missing(number)) == null) {
                lastNumber = Math.max(lastNumber, number);
            }
        }
    }

    private static DamagedException missing(long number) {
        return new DamagedException(RunFiles.record(number), "file is missing, but its segments exist");
    }

    /// Whether one of the numbers of checkpoints cannot be read, even one from before the last fresh start.
    public boolean hasUnreadable() {
        return !obsolete.containsAll(unreadable.keySet());
    }

    /// The number of the last fresh start; 0 if there was none.
    public long lastStart() {
        return prunings.lastStart();
    }

    /// The newest number that cannot be read, temporarily or permanently; 0 if there is none. Its contents are
    /// unknown: earlier checkpoints may be what it needs, or may belong to the time before a fresh start.
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

    /// The highest number whose record can be read; 0 if there is none.
    public long lastReadable() {
        return records.isEmpty() ? 0 : records.lastKey();
    }

    /// The checkpoints of the run in its present state, oldest first, including the numbers that cannot be read.
    public List<Entry> current() {
        return entries(prunings.lastStart());
    }

    /// The checkpoints in [#current] whose records can be read, oldest first.
    public List<Commit> currentCheckpoints() {
        return current().stream()
                .filter(Entry.Intact.class::isInstance)
                .map(entry -> ((Entry.Intact) entry).checkpoint())
                .toList();
    }

    /// The entries of [#current] and those before the last fresh start.
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

    /// The checkpoints that a reader of this one needs, from the base to the checkpoint itself, each in its newest
    /// form.
    ///
    /// @throws MissingParentException if the log lacks one of them
    public List<Commit> chain(Commit tip) throws DamagedException {
        var chain = new ArrayList<Commit>();
        var seen = new HashSet<String>();
        Commit link = newestForm.getOrDefault(tip.id(), tip);
        chain.add(link);
        seen.add(link.id());
        for (Parent parent = link.parent(); parent != null; parent = link.parent()) {
            Commit found = newestForm.get(parent.id());
            if (found == null) {
                throw new MissingParentException(
                        RunFiles.record(link.number()), broken(link, parent, "which the log does not have"));
            }
            if (!parent.digest().equals(found.digest())) {
                throw new DamagedException(
                        RunFiles.record(link.number()),
                        broken(link, parent, "whose values have digest=" + found.digest()));
            }
            if (!seen.add(found.id())) {
                throw new DamagedException(
                        RunFiles.record(link.number()), broken(link, parent, "which itself needs this one"));
            }
            chain.add(found);
            link = found;
        }
        return chain.reversed();
    }

    private static String broken(Commit child, Parent parent, String why) {
        return "chain broken: delta number=%d step=%d needs parent id=%s digest=%s, %s"
                .formatted(child.number(), child.step(), parent.id(), parent.digest(), why);
    }

    /// Whether this checkpoint still exists, in any form.
    public boolean has(Commit checkpoint) {
        return newestForm.containsKey(checkpoint.id());
    }

    /// The newest form of the checkpoint with this id; empty if the run does not have it.
    public Optional<Commit> find(String id) {
        return Optional.ofNullable(newestForm.get(id));
    }

    /// Whether this checkpoint has an older form whose record still exists.
    public boolean hasOlderForm(Commit checkpoint) {
        return reformed.contains(checkpoint.id());
    }

    /// All records of checkpoints, including obsolete ones.
    public List<Commit> checkpoints() {
        return records.values().stream()
                .filter(Commit.class::isInstance)
                .map(Commit.class::cast)
                .toList();
    }

    /// Segments that nothing needs: leftovers of interrupted saves, merges and removals.
    public List<String> leftovers() {
        return unnamed.leftovers();
    }

    /// Segments with the next number, which no record names yet.
    public List<String> staged() {
        return unnamed.staged();
    }

    /// What is wrong with records that were read from their twins, by number, without those that are obsolete. Nothing
    /// of them is lost.
    public SortedMap<Long, DamagedException> healedRecords() {
        var healed = new TreeMap<>(damagedRecords);
        healed.keySet().removeAll(obsolete);
        return healed;
    }

    /// The numbers of readable records that have no twin yet, without those that are obsolete.
    public Set<Long> withoutTwin() {
        var numbers = new TreeSet<>(records.keySet());
        numbers.removeAll(listing.twins());
        numbers.removeAll(obsolete);
        return numbers;
    }

    /// The numbers whose record and twin are both there, and whose record can be read, without those that are obsolete.
    public Set<Long> withTwin() {
        var numbers = new TreeSet<>(records.keySet());
        numbers.retainAll(listing.twins());
        numbers.removeAll(damagedRecords.keySet());
        numbers.removeAll(obsolete);
        return numbers;
    }

    /// The records and twins of numbers that are obsolete.
    public List<String> obsoleteRecords() {
        var files = new ArrayList<String>();
        for (long number : new TreeSet<>(obsolete)) {
            if (listing.twins().contains(number)) {
                files.add(RunFiles.twin(number));
            }
            files.add(RunFiles.record(number));
        }
        return files;
    }

    /// The numbers whose records no longer have a meaning.
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
