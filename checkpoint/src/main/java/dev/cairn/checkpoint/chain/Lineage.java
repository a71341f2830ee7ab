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

/// The checkpoints that the next delta would need, as this process committed them, and whether there is any doubt that
/// they read. Once there is, nothing is built on them: the good state is in memory, and a base needs none of them.
///
/// Safe for several threads: doubts and merges may come while a save is under way.
public final class Lineage {
    private final List<Link> links = new ArrayList<>();
    private @Nullable Commit newest;
    /// How many deltas follow the last base or merged checkpoint.
    private int unmerged;

    private boolean doubted;

    private record Link(String id, List<String> files) {
        static Link of(Commit checkpoint) {
            return new Link(checkpoint.id(), checkpoint.files());
        }
    }

    /// Whether a failure to read says that what is stored may not read again. That a disk is full, or the
    /// run another's, says nothing of that.
    public static boolean isDoubt(@Nullable Throwable failure) {
        return switch (failure) {
            case DamagedException _, NewerFormatException _, StorageUnavailableException _, NoSuchFileException _ ->
                true;
            case null, default -> false;
        };
    }

    /// The next delta is one of this checkpoint.
    public synchronized void committed(Commit checkpoint) {
        if (checkpoint.parent() == null) {
            clear();
        } else {
            unmerged++;
        }
        links.add(Link.of(checkpoint));
        newest = checkpoint;
    }

    /// There is nothing to build on.
    public synchronized void clear() {
        links.clear();
        newest = null;
        unmerged = 0;
        doubted = false;
    }

    /// This checkpoint needs one other at most now.
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

    /// Something that a reader of this checkpoint needs may not read. Nothing happens where no delta would need it.
    ///
    /// @return the newest checkpoint whose readers need it
    synchronized Commit doubt(Commit checkpoint) {
        if (newest == null || placeOf(checkpoint.id()) < 0) {
            return checkpoint;
        }
        doubted = true;
        return newest;
    }

    /// The same where this failure is damage of one of its files, whoever met it.
    ///
    /// @return the doubt, where it is new
    synchronized Optional<Doubt> doubt(Throwable failure) {
        if (newest == null || doubted || !(failure instanceof DamagedException damage) || !needs(damage.file())) {
            return Optional.empty();
        }
        doubted = true;
        return Optional.of(new Doubt(newest, failure));
    }

    /// Whether this file is one that the next delta would need.
    synchronized boolean needs(String file) {
        return links.stream().anyMatch(link -> link.files().contains(file));
    }

    public synchronized boolean isInDoubt() {
        return doubted;
    }

    /// Looks whether all files of the lineage are there, by their names: somebody may have removed them, or a whole
    /// folder, beside the training. What is missing is a doubt.
    ///
    /// @return what the next delta would have been one of, where it is in doubt now and was not before
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
                store.requireFiles(tip); // A merge may have replaced some this moment.
            }
            return Optional.empty();
        } catch (IOException missing) {
            doubt(tip);
            return Optional.of(new Doubt(tip, missing));
        }
    }

    /// What may not read, and why.
    record Doubt(Commit newest, Throwable cause) {}
}
