package dev.cairn.store.repair;

import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.RestoreTrial;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.check.StoreVerifier.DamagedFile;
import dev.cairn.store.check.StoreVerifier.Findings;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.repair.RepairPlan.Lost;
import dev.cairn.store.repair.RepairPlan.Rerooted;
import dev.cairn.store.right.LeaseFolder;
import dev.cairn.store.segment.SegmentName;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Judges every checkpoint of a damaged run by reading it. Changes nothing.
///
/// A checkpoint is *fine* if its own files are good and its parent can be restored. Otherwise it is read as in a
/// restore. Blocks that a later frame overwrites need not be good, so the restore may still succeed; the checkpoint
/// is then *rerooted*. If not, it is *lost* in this form. If an older form still exists, from before a merge whose
/// leftovers were not yet removed, everything is judged again with the older form.
final class RepairPlanner {
    /// No writer skips this many numbers: files this far above all readable records are not Cairn's.
    private static final long FAR = 1_000_000_000;

    private final CheckpointStore store;
    private final History history;
    private final LeaseFolder leases;
    private final Workspace workspace = new Workspace();
    private final Set<Long> reverted = new HashSet<>();
    private final Map<String, Boolean> restorable = new HashMap<>();
    private final List<Lost> lost = new ArrayList<>();
    private final List<Rerooted> rerooted = new ArrayList<>();
    private final List<DamagedFile> damaged = new ArrayList<>();
    private final Set<Long> strays = new TreeSet<>();
    /// The numbers of unreadable records whose checkpoints have other records now.
    private final Set<Long> replaced = new TreeSet<>();

    private RepairPlanner(CheckpointStore store, History history) {
        this.store = store;
        this.history = history;
        this.leases = new LeaseFolder(store.blobs());
    }

    /// @throws NewerFormatException if a later version of Cairn has written to the run
    static RepairPlan plan(CheckpointStore store) throws IOException {
        return new RepairPlanner(store, store.history()).plan();
    }

    private RepairPlan plan() throws IOException {
        History view = history;
        Findings damage = StoreVerifier.damage(store, view);
        while (judge(view, damage.lost())) {
            view = history.without(reverted);
            damage = StoreVerifier.damage(store, view);
        }
        leases.damaged()
                .forEach(lease -> damaged.add(new DamagedFile(lease.file(), lease.reason(), DamagedFile.Kind.LEASE)));
        List<Commit> givenUp = history.checkpoints().stream()
                .filter(checkpoint -> reverted.contains(checkpoint.number()))
                .toList();
        List<String> files = files(view, damage.lost());
        long remaining = view.current().stream().filter(this::isRestorable).count();
        return new RepairPlan(
                damaged,
                lost,
                rerooted,
                healed(view, damage),
                rewritten(damage),
                givenUp,
                files,
                files.stream().filter(this::isStray).toList(),
                List.copyOf(replaced),
                history.lastStart(),
                kept(view),
                Math.toIntExact(remaining));
    }

    /// Returns whether forms were dropped, so that everything must be judged again.
    private boolean judge(History view, Map<Long, StoreException> damage) throws IOException {
        restorable.clear();
        lost.clear();
        rerooted.clear();
        replaced.clear();
        int before = reverted.size();
        for (Entry entry : view.all()) {
            switch (entry) {
                case Entry.Unreadable(long _, NewerFormatException newer) -> throw newer;
                case Entry.Unreadable unreadable -> {
                    note(unreadable.reason(), unreadable.file());
                    if (isStray(unreadable.number())) {
                        strays.add(unreadable.number());
                        continue;
                    }
                    if (hasOtherRecord(view, unreadable.number())) {
                        replaced.add(unreadable.number());
                        continue;
                    }
                    lost.add(new Lost(unreadable.number(), OptionalLong.empty(), "its record cannot be read"));
                }
                case Entry.Intact(Commit checkpoint) -> {
                    StoreException own = damage.get(checkpoint.number());
                    if (own != null) {
                        note(own, entry.file());
                    }
                    judge(view, checkpoint, own);
                }
            }
        }
        return reverted.size() > before;
    }

    /// Whether a later record has the checkpoint of this one: after a merge, or because it came back from the copy.
    private static boolean hasOtherRecord(History view, long number) {
        return view.checkpoints().stream()
                .anyMatch(checkpoint -> checkpoint.position() == number && checkpoint.number() > number);
    }

    private void judge(History view, Commit checkpoint, @Nullable StoreException own) throws IOException {
        Parent parent = checkpoint.parent();
        boolean supported = parent == null || restorable.getOrDefault(parent.id(), false);
        if (own == null && supported) {
            restorable.put(checkpoint.id(), true);
            return;
        }
        try {
            List<Commit> chain = view.chain(checkpoint);
            if (checkpoint.number() <= history.lastStart()) {
                // A new form would make it part of the run again.
                throw new DamagedException(RunFiles.record(checkpoint.number()), "from before the last fresh start");
            }
            RestoreTrial.read(store, chain, workspace);
            rerooted.add(new Rerooted(checkpoint, chain));
            restorable.put(checkpoint.id(), true);
        } catch (StoreException broken) {
            restorable.put(checkpoint.id(), false);
            if (view.hasOlderForm(checkpoint)) {
                reverted.add(checkpoint.number());
            }
            String reason = own == null ? "needs a checkpoint that is lost" : reason(own);
            lost.add(new Lost(checkpoint.number(), OptionalLong.of(checkpoint.step()), reason));
        }
    }

    /// The checkpoints whose files are rewritten in their places, so that they are whole again. Those from before the
    /// last fresh start are among them: the bytes of a file decide nothing about what is part of the run.
    private List<Commit> healed(History view, Findings damage) {
        var healed = new ArrayList<Commit>();
        for (Commit checkpoint : view.checkpoints()) {
            List<HealedDamage> found = damage.healable().getOrDefault(checkpoint.number(), List.of());
            found.forEach(each -> damaged.add(DamagedFile.of(each)));
            if (!found.isEmpty()
                    && rerooted.stream().noneMatch(each -> each.checkpoint().equals(checkpoint))) {
                healed.add(checkpoint);
            }
        }
        return healed;
    }

    private List<String> rewritten(Findings damage) {
        damaged.addAll(damage.places());
        return damage.places().stream().map(DamagedFile::file).toList();
    }

    private boolean isRestorable(Entry entry) {
        return entry instanceof Entry.Intact(Commit checkpoint) && restorable.getOrDefault(checkpoint.id(), false);
    }

    private List<Long> kept(History view) {
        return view.current().stream()
                .filter(this::isRestorable)
                .map(Entry::number)
                .sorted()
                .toList();
    }

    private boolean isStray(long number) {
        return number > history.lastReadable() + FAR;
    }

    private boolean isStray(String file) {
        return strays.stream()
                .anyMatch(number -> file.equals(RunFiles.record(number))
                        || file.equals(RunFiles.twin(number))
                        || file.startsWith(RunFiles.SEGMENTS + RunFiles.digits(number) + "-"));
    }

    /// All files of lost checkpoints, all damaged files, and segments that may belong to an unreadable record.
    private List<String> files(History view, Map<Long, StoreException> damage) throws IOException {
        Set<String> segments = new HashSet<>(store.blobs().list(RunFiles.SEGMENTS));
        Set<String> records = new HashSet<>(store.blobs().list(RunFiles.LOG));
        var gone = new HashSet<>(reverted);
        gone.addAll(strays);
        gone.addAll(replaced);
        lost.forEach(each -> gone.add(each.number()));
        Set<String> named = new HashSet<>();
        Set<String> needed = new HashSet<>();
        var files = new TreeSet<String>();
        for (Commit checkpoint : history.checkpoints()) {
            List<String> own = checkpoint.segmentNames();
            named.addAll(own);
            boolean goes = gone.contains(checkpoint.number()) || damage.containsKey(checkpoint.number());
            (goes ? files : needed).addAll(own);
        }
        files.removeAll(needed);
        for (long number : gone) {
            files.add(RunFiles.twin(number));
            files.add(RunFiles.record(number));
        }
        long unknown = view.lastDamaged();
        segments.stream()
                .filter(name -> SegmentName.parse(name) != null && !named.contains(name))
                .filter(name -> SegmentName.numberOf(name) <= unknown)
                .forEach(files::add);
        files.removeIf(name -> !segments.contains(name) && !records.contains(name));
        String highestLease = RunFiles.lease(leases.highest());
        leases.damaged().stream()
                .map(DamagedException::file)
                .filter(file -> !file.equals(highestLease))
                .forEach(files::add);
        // A record is moved last, and after its twin: a checkpoint without its segments is found as damaged again.
        var ordered = new ArrayList<>(files);
        ordered.sort(Comparator.comparing((String name) -> RunFiles.twinNumber(name) < 0)
                .thenComparing(name -> name.startsWith(RunFiles.LOG)));
        return ordered;
    }

    private void note(StoreException reason, String record) {
        DamagedFile.of(history, record, reason)
                .filter(file -> !damaged.contains(file))
                .ifPresent(damaged::add);
    }

    private static String reason(StoreException e) {
        return e instanceof DamagedException known ? known.reason() : String.valueOf(e.getMessage());
    }
}
