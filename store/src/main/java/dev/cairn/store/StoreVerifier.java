package dev.cairn.store;

import dev.cairn.store.LogRecord.Checkpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Checks a whole run, damaged or not, and goes on after each finding.
public final class StoreVerifier {
    /// How much is read.
    public enum Depth {
        /// Records, and the size, header and index of each segment.
        FAST,
        /// Every byte.
        FULL
    }

    /// What was found.
    ///
    /// @param checkedBytes bytes of segments read and compared with their checksums
    /// @param leftovers files of saves that were cut off: not damage; the next writer removes them
    /// @param foreign files that are not Cairn's: not checked and never touched
    public record Report(
            int checkpoints,
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
    public record DamagedFile(String file, String reason) {}

    private StoreVerifier() {}

    /// Checks every record of the log and what it names.
    ///
    /// @param progress told each checkpoint before it is read
    public static Report verify(CheckpointStore store, Depth depth, Consumer<Checkpoint> progress) throws IOException {
        var damaged = new ArrayList<DamagedFile>();
        int checkpoints = 0;
        long checkedBytes = 0;
        for (CheckpointStore.Entry entry : store.entries()) {
            switch (entry) {
                case CheckpointStore.Entry.Unreadable unreadable -> {
                    checkpoints++;
                    damaged.add(damage(unreadable.file(), unreadable.reason()));
                }
                case CheckpointStore.Entry.Intact(Checkpoint checkpoint) -> {
                    checkpoints++;
                    progress.accept(checkpoint);
                    try {
                        checkedBytes += verify(store, checkpoint, depth);
                    } catch (StoreException e) {
                        damaged.add(damage(entry.file(), e));
                    }
                }
            }
        }
        return new Report(checkpoints, checkedBytes, damaged, store.leftovers(), store.foreignFiles());
    }

    /// Checks one checkpoint's own files, and that its parents' records are there; returns how many bytes were
    /// read and
    /// throws at the first damage. It can be restored if this holds for every checkpoint of its chain.
    public static long verify(CheckpointStore store, Checkpoint checkpoint, Depth depth) throws IOException {
        store.history().chain(checkpoint);
        try (CheckpointReader reader = store.openAlone(checkpoint)) {
            if (depth == Depth.FAST) {
                return 0;
            }
            reader.verify();
            return checkpoint.storedBytes();
        }
    }

    private static DamagedFile damage(String recordFile, StoreException e) {
        return e instanceof DamagedException damaged
                ? new DamagedFile(damaged.file(), damaged.reason())
                : new DamagedFile(recordFile, String.valueOf(e.getMessage()));
    }
}
