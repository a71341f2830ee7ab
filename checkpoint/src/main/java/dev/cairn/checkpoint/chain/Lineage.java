package dev.cairn.checkpoint.chain;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import dev.cairn.store.reading.CheckpointStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoints that the next delta would need, as this process committed them, and whether it is in doubt that
/// they can be read. Once they are in doubt, nothing is built on them: the good state is in memory, and a base needs
/// none of them.
///
/// Thread-safe: doubts and merges may arrive during a save.
public final class Lineage {
    private final List<Link> links = new ArrayList<>();
    private @Nullable Commit newest;
    /// The number of deltas after the last base or merged checkpoint.
    private int unmerged;

    private boolean doubted;

    private record Link(String id, List<String> files) {
        static Link of(Commit checkpoint) {
            return new Link(checkpoint.id(), checkpoint.files());
        }
    }

    /// Whether a failure means that stored files may not be readable again. A full disk, or a run that another
    /// process holds, does not mean that.
    public static boolean isDoubt(@Nullable Throwable failure) {
        return switch (failure) {
            case DamagedException _, NewerFormatException _, StorageUnavailableException _, NoSuchFileException _ ->
                true;
            case null, default -> false;
        };
    }

    /// Makes this checkpoint the parent of the next delta.
    public synchronized void committed(Commit checkpoint) {
        if (checkpoint.parent() == null) {
            clear();
        } else {
            unmerged++;
        }
        links.add(Link.of(checkpoint));
        newest = checkpoint;
    }

    /// Clears the lineage: the next checkpoint is a base.
    public synchronized void clear() {
        links.clear();
        newest = null;
        unmerged = 0;
        doubted = false;
    }

    /// Notes that this checkpoint was merged and now needs at most one other.
    public synchronized void merged(Commit checkpoint) {
        int place = placeOf(checkpoint.id());
        if (place < 0) {
            return;
        }
        Parent parent = checkpoint.parent();
        int base = parent == null ? -1 : placeOf(parent.id());
        links.set(place, Link.of(checkpoint));
        links.subList(base + 1, place).clear();
        links.subList(0, Math.max(base, 0)).clear();
        unmerged = Math.min(unmerged, links.size() - 1 - placeOf(checkpoint.id()));
    }

    private int placeOf(String id) {
        for (int i = 0; i < links.size(); i++) {
            if (links.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    public synchronized int unmerged() {
        return unmerged;
    }

    /// Notes that something which a reader of this checkpoint needs may not be readable. Does nothing if no delta
    /// would need it.
    ///
    /// @return the newest checkpoint whose readers need it
    synchronized Commit doubt(Commit checkpoint) {
        if (newest == null || placeOf(checkpoint.id()) < 0) {
            return checkpoint;
        }
        doubted = true;
        return newest;
    }

    /// Notes a doubt if this failure is damage in one of the lineage's files, whichever part of the program met it.
    ///
    /// @return the doubt, if it is new
    synchronized Optional<Doubt> doubt(Throwable failure) {
        if (newest == null || doubted || !(failure instanceof DamagedException damage) || !needs(damage.file())) {
            return Optional.empty();
        }
        doubted = true;
        return Optional.of(new Doubt(newest, failure));
    }

    /// Whether the next delta would need this file.
    synchronized boolean needs(String file) {
        return links.stream().anyMatch(link -> link.files().contains(file));
    }

    public synchronized boolean isInDoubt() {
        return doubted;
    }

    /// Checks by name whether all files of the lineage exist: they, or a whole folder, may have been removed during
    /// the training. A missing file is a doubt.
    ///
    /// @return the doubt, if it is new
    Optional<Doubt> inspect(CheckpointStore store) {
        Commit tip;
        List<String> files;
        synchronized (this) {
            if (newest == null || doubted) {
                return Optional.empty();
            }
            tip = newest;
            files = links.stream().flatMap(link -> link.files().stream()).toList();
        }
        try {
            if (!store.hasFiles(files)) {
                store.requireFiles(tip); // A merge may just have replaced some files.
            }
            return Optional.empty();
        } catch (IOException missing) {
            doubt(tip);
            return Optional.of(new Doubt(tip, missing));
        }
    }

    /// The newest checkpoint that may not be readable, and the reason.
    record Doubt(Commit newest, Throwable cause) {}
}
