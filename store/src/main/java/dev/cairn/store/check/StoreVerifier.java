package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.MissingParentException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier.DamagedFile.Kind;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.reading.SteadyRead;
import dev.cairn.store.right.LeaseFolder;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Checks a whole run and continues after each finding. Changes nothing and needs no lock: a training may write to
/// the run at the same time.
public final class StoreVerifier {
    /// How thorough the check is.
    public enum Depth {
        /// Records, and the size, header and index of each segment.
        FAST,
        /// Every byte is compared with its checksum.
        CHECKSUMS,
        /// Every checkpoint is also reconstructed, as in a restore, and compared with the values that its writer
        /// held. This also finds values that were wrong before their checksum was computed.
        FULL
    }

    /// The progress of a check, in bytes of segments.
    public record Progress(long checkedBytes, long totalBytes) {}

    /// The result of a check.
    ///
    /// @param affected the number of checkpoints that are damaged or depend on a damaged one
    /// @param checkedBytes the bytes of segments without damage
    /// @param incomplete tensors whose parts do not make them up; this is not damage: the stored parts can be read
    /// @param leftovers files of interrupted saves; they are not damage, and the next writer removes them
    /// @param foreign files that are not Cairn's; they are neither checked nor changed
    public record Report(
            int checkpoints,
            int affected,
            long checkedBytes,
            List<DamagedFile> damaged,
            List<IncompleteTensor> incomplete,
            List<String> leftovers,
            List<String> foreign) {
        public Report {
            damaged = List.copyOf(damaged);
            incomplete = List.copyOf(incomplete);
            leftovers = List.copyOf(leftovers);
            foreign = List.copyOf(foreign);
        }

        /// Whether nothing is damaged.
        public boolean ok() {
            return damaged.isEmpty();
        }
    }

    /// A damaged file, named relative to the run, and the reason.
    ///
    /// @param healable whether every reader gets the right bits in spite of the damage, because the run has them a
    ///     second time; a repair rewrites the file
    public record DamagedFile(String file, String reason, Kind kind, boolean healable) {
        /// Damage that nothing in the run can heal.
        public DamagedFile(String file, String reason, Kind kind) {
            this(file, reason, kind, false);
        }

        /// Damage that did not matter.
        public static DamagedFile of(HealedDamage healed) {
            String reason = healed.damage().reason() + "; read from " + healed.source();
            return new DamagedFile(healed.damage().file(), reason, Kind.CHECKPOINT, true);
        }

        /// What is damaged if this is why a checkpoint cannot be restored; empty if that is told elsewhere. A
        /// checkpoint whose parent is lost is intact itself; what is told is the record of the parent.
        public static Optional<DamagedFile> of(History history, String record, StoreException why) {
            return switch (why) {
                case MissingParentException missing ->
                    history.hasUnreadable()
                            ? Optional.empty()
                            : Optional.of(new DamagedFile(RunFiles.LOG, missing.reason(), Kind.CHECKPOINT));
                case DamagedException damaged ->
                    Optional.of(new DamagedFile(damaged.file(), damaged.reason(), Kind.CHECKPOINT));
                default ->
                    Optional.of(new DamagedFile(
                            record,
                            String.valueOf(why.getMessage()),
                            why instanceof NewerFormatException ? Kind.NEWER_FORMAT : Kind.CHECKPOINT));
            };
        }

        /// How a training handles the file.
        public enum Kind {
            /// A training skips the checkpoint.
            CHECKPOINT,
            /// Only a later Cairn can read it, and a training stops.
            NEWER_FORMAT,
            /// Parts of a tensor overlap and differ. A training that restores the stored parts does not notice. One
            /// that joins them skips the checkpoint.
            PARTS,
            /// It expires like any lease whose holder died.
            LEASE
        }
    }

    /// A tensor that is stored in parts which do not make it up.
    ///
    /// @param file the record of the checkpoint, relative to the run
    /// @param tensor the whole tensor
    /// @param missing the first part of it that is not stored
    public record IncompleteTensor(String file, TensorSpec tensor, TensorSpec missing) {}

    private final CheckpointStore store;
    private final Depth depth;
    private final Consumer<Progress> progress;
    private final Workspace workspace = new Workspace();
    /// The numbers of the records found good.
    private final Set<Long> good = new HashSet<>();
    private final Map<Long, StoreException> damaged = new HashMap<>();
    /// Damage of good checkpoints whose bytes are stored a second time.
    private final Map<Long, List<HealedDamage>> healable = new HashMap<>();
    private final Map<Long, PartsCheck> parts = new HashMap<>();
    /// The chains of the checkpoints when they were checked, as numbers of records.
    private final Map<Long, List<Long>> checkedChains = new HashMap<>();
    /// The damaged checkpoints whose chains were still the same when the log was read again. No merge or removal
    /// explains their damage.
    private final Set<Long> confirmed = new HashSet<>();

    private StoreVerifier(CheckpointStore store, Depth depth, Consumer<Progress> progress) {
        this.store = store;
        this.depth = depth;
        this.progress = progress;
    }

    /// Checks every record of the log and the files that it names. Damage is reported once, in the file that has
    /// it: a checkpoint is not reported only because it needs a damaged one.
    ///
    /// @param progress called after each block, by several threads
    public static Report verify(CheckpointStore store, Depth depth, Consumer<Progress> progress) throws IOException {
        return new StoreVerifier(store, depth, progress).run();
    }

    /// Checks one checkpoint: its own files, and that the records of its parents exist. With [Depth#FULL] it also
    /// checks the parents' files and the values, so the checkpoint can be restored if this returns normally. Throws
    /// at the first damage.
    public static void verify(CheckpointStore store, Commit checkpoint, Depth depth) throws IOException {
        List<Commit> chain = store.history().chain(checkpoint);
        verify(store, depth == Depth.FULL ? chain : List.of(chain.getLast()), depth);
    }

    /// Checks the own files of a checkpoint, without its parents.
    static void verifyAlone(CheckpointStore store, Commit checkpoint, Depth depth) throws IOException {
        verify(store, List.of(checkpoint), depth);
    }

    private static void verify(CheckpointStore store, List<Commit> chain, Depth depth) throws IOException {
        var verifier = new StoreVerifier(store, depth, _ -> {});
        verifier.check(chain, 0, _ -> {});
        for (StoreException damage : verifier.damaged.values()) {
            throw damage;
        }
    }

    /// Whether the own files of a checkpoint pass this check. Each checkpoint is checked once. Does not read the
    /// log.
    public static Soundness soundness(CheckpointStore store, Depth depth) {
        var known = new HashMap<Long, Boolean>();
        return checkpoint -> {
            Boolean sound = known.get(checkpoint.number());
            if (sound == null) {
                sound = passes(store, checkpoint, depth);
                known.put(checkpoint.number(), sound);
            }
            return sound;
        };
    }

    private static boolean passes(CheckpointStore store, Commit checkpoint, Depth depth) throws IOException {
        try {
            verifyAlone(store, checkpoint, depth);
            return true;
        } catch (StoreException damaged) {
            return false;
        }
    }

    /// The damage of a run's checkpoints, by number.
    ///
    /// @param lost damage in the own files of a checkpoint, or in its chain; a checkpoint is not included only
    ///     because it needs a damaged one
    /// @param healable damage of other checkpoints whose bytes are stored a second time
    /// @param places damage of one of the two places of a record, whose other place is intact
    public record Findings(
            Map<Long, StoreException> lost, Map<Long, List<HealedDamage>> healable, List<DamagedFile> places) {}

    /// The damage of every checkpoint of this history, as a full verification finds it.
    public static Findings damage(CheckpointStore store, History history) throws IOException {
        var verifier = new StoreVerifier(store, Depth.FULL, _ -> {});
        verifier.checkAll(history);
        return new Findings(verifier.damaged, verifier.healable, TwinCheck.of(store, history));
    }

    /// A training may merge and remove checkpoints during the check. Damage that this may explain is looked for
    /// again.
    private Report run() throws IOException {
        return report(SteadyRead.of(
                runs -> {
                    History history = runs.history(store);
                    keepConfirmed(history);
                    checkAll(history);
                    return history;
                },
                _ -> !confirmed.containsAll(damaged.keySet())));
    }

    /// Forgets the damage of checkpoints that have been merged or removed since it was found.
    private void keepConfirmed(History now) {
        confirmed.clear();
        for (Entry entry : now.all()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)
                    && damaged.containsKey(checkpoint.number())
                    && chainNumbers(now, checkpoint).equals(checkedChains.get(checkpoint.number()))) {
                confirmed.add(checkpoint.number());
            }
        }
        damaged.keySet().retainAll(confirmed);
    }

    /// The numbers of the chain; none if it is broken.
    private static List<Long> chainNumbers(History history, Commit checkpoint) {
        try {
            return history.chain(checkpoint).stream().map(Commit::number).toList();
        } catch (DamagedException broken) {
            return List.of();
        }
    }

    private Report report(History history) throws IOException {
        var files = new ArrayList<DamagedFile>();
        var incomplete = new ArrayList<IncompleteTensor>();
        long checkedBytes = 0;
        for (Entry entry : history.all()) {
            StoreException reason = switch (entry) {
                case Entry.Unreadable unreadable -> unreadable.reason();
                case Entry.Intact intact -> damaged.get(intact.number());
            };
            if (reason != null) {
                DamagedFile.of(history, entry.file(), reason)
                        .filter(file -> !files.contains(file))
                        .ifPresent(files::add);
            } else if (depth != Depth.FAST && entry instanceof Entry.Intact(Commit checkpoint)) {
                checkedBytes += checkpoint.storedBytes();
            }
            if (reason == null) {
                healable.getOrDefault(entry.number(), List.of()).forEach(each -> files.add(DamagedFile.of(each)));
            }
            PartsCheck found = reason == null ? parts.get(entry.number()) : null;
            if (found != null) {
                incomplete.addAll(found.incomplete());
                found.differing().forEach(why -> files.add(new DamagedFile(entry.file(), why, Kind.PARTS)));
            }
        }
        files.addAll(TwinCheck.of(store, history));
        new LeaseFolder(store.blobs())
                .damaged()
                .forEach(lease -> files.add(new DamagedFile(lease.file(), lease.reason(), Kind.LEASE)));
        int affected = (int) history.all().stream()
                .filter(entry -> isAffected(history, entry))
                .count();
        return new Report(
                history.all().size(),
                affected,
                checkedBytes,
                files,
                incomplete,
                store.leftovers(),
                store.foreignFiles());
    }

    private boolean isAffected(History history, Entry entry) {
        return switch (entry) {
            case Entry.Unreadable unreadable -> !(unreadable.reason() instanceof NewerFormatException);
            case Entry.Intact(Commit checkpoint) -> {
                PartsCheck found = parts.get(checkpoint.number());
                if (damaged.containsKey(checkpoint.number())
                        || (found != null && !found.differing().isEmpty())) {
                    yield true;
                }
                try {
                    yield history.chain(checkpoint).stream().anyMatch(link -> damaged.containsKey(link.number()));
                } catch (DamagedException broken) {
                    yield true;
                }
            }
        };
    }

    /// Checks all checkpoints that are not yet known to be good or damaged.
    private void checkAll(History history) throws IOException {
        var chains = new HashMap<Long, List<Commit>>();
        var children = new HashMap<String, List<Commit>>();
        var wanted = new ArrayList<Commit>();
        var done = new HashSet<>(good);
        done.addAll(damaged.keySet());
        for (Entry entry : history.all()) {
            if (entry instanceof Entry.Intact(Commit checkpoint) && !done.contains(checkpoint.number())) {
                checkedChains.put(checkpoint.number(), chainNumbers(history, checkpoint));
                try {
                    chains.put(checkpoint.number(), history.chain(checkpoint));
                    wanted.add(checkpoint);
                    Parent parent = checkpoint.parent();
                    if (parent != null) {
                        children.computeIfAbsent(parent.id(), _ -> new ArrayList<>())
                                .add(checkpoint);
                    }
                } catch (DamagedException broken) {
                    damaged.put(checkpoint.number(), broken);
                }
            }
        }
        var tally = new Tally(wanted.stream().mapToLong(Commit::storedBytes).sum(), progress);
        for (Commit checkpoint : wanted) {
            if (!done.contains(checkpoint.number())) {
                List<Commit> chain = depth == Depth.FULL
                        ? longest(chains.getOrDefault(checkpoint.number(), List.of()), children, done)
                        : List.of(checkpoint);
                int known = (int) chain.stream()
                        .takeWhile(link -> done.contains(link.number()))
                        .count();
                check(chain, known, tally);
                chain.forEach(link -> done.add(link.number()));
            }
        }
    }

    /// Extends the chain by the checkpoints after it, so that one pass checks as many checkpoints as possible.
    private static List<Commit> longest(List<Commit> chain, Map<String, List<Commit>> children, Set<Long> done) {
        var longer = new ArrayList<>(chain);
        for (Commit next = chain.getLast(); next != null; ) {
            next = children.getOrDefault(next.id(), List.of()).stream()
                    .filter(child -> !done.contains(child.number()))
                    .findFirst()
                    .orElse(null);
            if (next != null) {
                longer.add(next);
            }
        }
        return longer;
    }

    /// Checks a chain, except for its first `known` checkpoints, which were checked before.
    private void check(List<Commit> chain, int known, LongConsumer readBytes) throws IOException {
        try (var check = ChainCheck.open(store, chain, known, workspace, readBytes)) {
            switch (depth) {
                case FAST -> {}
                case CHECKSUMS -> check.checkBytes(CheckpointReader.USUAL_THREADS);
                case FULL -> check.checkValues(CheckpointReader.USUAL_THREADS);
            }
            for (int i = 0; i < check.links().size(); i++) {
                CheckedLink link = check.links().get(i);
                StoreException damage = link.damage();
                if (damage == null) {
                    good.add(link.checkpoint().number());
                    if (!link.healed().isEmpty()) {
                        healable.put(link.checkpoint().number(), link.healed());
                    }
                    checkParts(link, chain.subList(0, known + i + 1));
                } else {
                    damaged.put(link.checkpoint().number(), damage);
                }
            }
        }
    }

    /// Values are compared only if the whole chain is good: all other damage is told already.
    private void checkParts(CheckedLink link, List<Commit> chain) throws IOException {
        long number = link.checkpoint().number();
        boolean readable = depth == Depth.FULL && chain.stream().allMatch(each -> good.contains(each.number()));
        try {
            PartsCheck found = PartsCheck.of(store, chain, link.tensors(), readable);
            if (!found.isFine()) {
                parts.put(number, found);
            }
        } catch (StoreException removed) {
            good.remove(number);
            damaged.put(number, removed);
        }
    }

    /// Counts the bytes read.
    private static final class Tally implements LongConsumer {
        private final long total;
        private final Consumer<Progress> progress;
        private final AtomicLong read = new AtomicLong();

        Tally(long total, Consumer<Progress> progress) {
            this.total = total;
            this.progress = progress;
        }

        @Override
        public void accept(long bytes) {
            progress.accept(new Progress(read.addAndGet(bytes), total));
        }
    }
}
