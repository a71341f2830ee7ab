package dev.cairn.store.check;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StoreException;
import dev.cairn.store.check.StoreVerifier.DamagedFile.Kind;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointReader;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.right.LeaseFolder;
import dev.cairn.store.segment.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// Checks a whole run, damaged or not, and goes on after each finding. Changes nothing and needs no lock: a
/// training may go on beside it.
public final class StoreVerifier {
    /// How much is done.
    public enum Depth {
        /// Records, and the size, header and index of each segment.
        FAST,
        /// Every byte is compared with its checksum.
        CHECKSUMS,
        /// Every checkpoint is reconstructed too, as a restore does it, and compared with what its writer
        /// held: this finds also what was wrong before it got its checksum.
        FULL
    }

    /// How far a check is, in bytes of segments.
    public record Progress(long checkedBytes, long totalBytes) {}

    /// What was found.
    ///
    /// @param affected how many checkpoints are damaged, or built on one that is
    /// @param checkedBytes bytes of segments without damage
    /// @param leftovers files of saves that were cut off: not damage; the next writer removes them
    /// @param foreign files that are not Cairn's: not checked and never touched
    public record Report(
            int checkpoints,
            int affected,
            long checkedBytes,
            List<DamagedFile> damaged,
            List<String> leftovers,
            List<String> foreign) {
        public Report {
            damaged = List.copyOf(damaged);
            leftovers = List.copyOf(leftovers);
            foreign = List.copyOf(foreign);
        }

        /// Whether nothing is damaged.
        public boolean ok() {
            return damaged.isEmpty();
        }
    }

    /// A file, named relative to the run, and what is wrong with it.
    public record DamagedFile(String file, String reason, Kind kind) {
        /// What a training does about it.
        public enum Kind {
            /// It is passed over.
            CHECKPOINT,
            /// Only a later Cairn reads it, and a training stops.
            NEWER_FORMAT,
            /// It runs out like any lease whose holder died.
            LEASE
        }
    }

    /// A training beside the check may merge and remove what is being read.
    private static final int MOST_ATTEMPTS = 5;

    private final CheckpointStore store;
    private final Depth depth;
    private final Consumer<Progress> progress;
    private final Workspace workspace = new Workspace();
    /// By number of record.
    private final Set<Long> good = new HashSet<>();
    private final Map<Long, StoreException> damaged = new HashMap<>();

    private StoreVerifier(CheckpointStore store, Depth depth, Consumer<Progress> progress) {
        this.store = store;
        this.depth = depth;
        this.progress = progress;
    }

    /// Checks every record of the log and what it names. Damage is told once, where it is: checkpoints that need a
    /// damaged one are not named for that.
    ///
    /// @param progress told after each block, by several threads
    public static Report verify(CheckpointStore store, Depth depth, Consumer<Progress> progress) throws IOException {
        return new StoreVerifier(store, depth, progress).run();
    }

    /// Checks one checkpoint: its own files, and that its parents' records are there; with [Depth#FULL]
    /// also its parents' files and its values, so that it can be restored where this returns. Throws at the
    /// first damage.
    public static void verify(CheckpointStore store, Commit checkpoint, Depth depth) throws IOException {
        List<Commit> chain = store.history().chain(checkpoint);
        verify(store, depth == Depth.FULL ? chain : List.of(chain.getLast()), depth);
    }

    /// Checks a checkpoint's own files, and nothing of its parents.
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

    /// Whether a checkpoint's own files pass this check, each looked at once. The log is not read for it.
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

    /// The damage of every checkpoint of this history, by number, as a full verification finds it: in its own files, or
    /// in its chain. Checkpoints that need a damaged one are not among them for that.
    public static Map<Long, StoreException> damage(CheckpointStore store, History history) throws IOException {
        var verifier = new StoreVerifier(store, Depth.FULL, _ -> {});
        verifier.checkAll(history);
        return verifier.damaged;
    }

    private Report run() throws IOException {
        History history = store.history();
        checkAll(history);
        for (int attempt = 1; attempt < MOST_ATTEMPTS && !damaged.isEmpty(); attempt++) {
            History now = store.history();
            if (now.lastNumber() == history.lastNumber()) {
                break;
            }
            // What was damaged may have been merged or removed meanwhile; what is there still is looked at again.
            history = now;
            damaged.clear();
            checkAll(history);
        }
        return report(history);
    }

    private Report report(History history) throws IOException {
        var files = new ArrayList<DamagedFile>();
        long checkedBytes = 0;
        for (Entry entry : history.all()) {
            StoreException reason = switch (entry) {
                case Entry.Unreadable unreadable -> unreadable.reason();
                case Entry.Intact intact -> damaged.get(intact.number());
            };
            if (reason != null) {
                files.add(damage(entry.file(), reason));
            } else if (depth != Depth.FAST && entry instanceof Entry.Intact(Commit checkpoint)) {
                checkedBytes += checkpoint.storedBytes();
            }
        }
        new LeaseFolder(store.blobs())
                .damaged()
                .forEach(lease -> files.add(new DamagedFile(lease.file(), lease.reason(), Kind.LEASE)));
        int affected = (int) history.all().stream()
                .filter(entry -> isAffected(history, entry))
                .count();
        return new Report(history.all().size(), affected, checkedBytes, files, store.leftovers(), store.foreignFiles());
    }

    private boolean isAffected(History history, Entry entry) {
        return switch (entry) {
            case Entry.Unreadable unreadable -> !(unreadable.reason() instanceof NewerFormatException);
            case Entry.Intact(Commit checkpoint) -> {
                if (damaged.containsKey(checkpoint.number())) {
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

    /// Checks all checkpoints that are not known to be good.
    private void checkAll(History history) throws IOException {
        var chains = new HashMap<Long, List<Commit>>();
        var children = new HashMap<String, List<Commit>>();
        var wanted = new ArrayList<Commit>();
        for (Entry entry : history.all()) {
            if (entry instanceof Entry.Intact(Commit checkpoint) && !good.contains(checkpoint.number())) {
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
        var done = new HashSet<>(good);
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

    /// The chain with what follows it, so that as many checkpoints as possible are checked on the way.
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

    /// Checks a chain but for its first, which were checked before.
    private void check(List<Commit> chain, int known, LongConsumer readBytes) throws IOException {
        try (var check = ChainCheck.open(store, chain, known, workspace, readBytes)) {
            switch (depth) {
                case FAST -> {}
                case CHECKSUMS -> check.checkBytes(CheckpointReader.USUAL_THREADS);
                case FULL -> check.checkValues(CheckpointReader.USUAL_THREADS);
            }
            for (CheckedLink link : check.links()) {
                StoreException damage = link.damage();
                if (damage == null) {
                    good.add(link.checkpoint().number());
                } else {
                    damaged.put(link.checkpoint().number(), damage);
                }
            }
        }
    }

    /// Counts what was read.
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

    private static DamagedFile damage(String recordFile, StoreException e) {
        return e instanceof DamagedException damaged
                ? new DamagedFile(damaged.file(), damaged.reason(), Kind.CHECKPOINT)
                : new DamagedFile(
                        recordFile,
                        String.valueOf(e.getMessage()),
                        e instanceof NewerFormatException ? Kind.NEWER_FORMAT : Kind.CHECKPOINT);
    }
}
