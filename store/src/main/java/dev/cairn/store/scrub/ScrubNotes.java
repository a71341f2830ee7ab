package dev.cairn.store.scrub;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// What scrubbing remembers of a run: when each file was last checked, what is damaged for good, and how many
/// files were rewritten. If it is lost, files are checked earlier than necessary, and damage is reported once more. For
/// one
/// thread at a time.
public final class ScrubNotes {
    final SortedMap<String, Instant> checked = new TreeMap<>();
    final SortedMap<String, String> damaged = new TreeMap<>();
    long rewriteCount;
    private boolean changed;

    ScrubNotes() {}

    /// Reads the notes of this run. If there are none, or they belong to another place that the run was copied from,
    /// nothing was checked yet.
    public static ScrubNotes of(BlobStore run) throws IOException {
        return ScrubFile.read(run);
    }

    /// Writes the notes.
    void write(BlobStore run) throws IOException {
        ScrubFile.write(run, this);
        changed = false;
    }

    /// Whether there is something to write.
    public boolean haveChanged() {
        return changed;
    }

    /// When this file was last checked.
    public Optional<Instant> checked(String file) {
        return Optional.ofNullable(checked.get(file));
    }

    /// Notes that this file, or all [records][RunFiles#LOG], were read.
    ///
    /// @param found the files among them that are damaged and do not heal
    public void checked(String file, Set<String> found, Instant now) {
        checked.put(file, now);
        damaged.keySet().removeIf(known -> belongsTo(known, file) && !found.contains(known));
        changed = true;
    }

    private static boolean belongsTo(String file, String task) {
        return file.equals(task) || (task.equals(RunFiles.LOG) && file.startsWith(RunFiles.LOG));
    }

    /// Notes that a file was rewritten.
    public void rewritten() {
        rewriteCount++;
        changed = true;
    }

    /// Notes that this file is damaged and does not heal.
    ///
    /// @return whether that is new
    public boolean lost(String file, String reason) {
        changed = true;
        return damaged.put(file, reason) == null;
    }

    /// Forgets all other files.
    ///
    /// @param files the files of the run, and [RunFiles#LOG] for the records
    public void retain(Set<String> files) {
        changed |= checked.keySet().retainAll(files);
        changed |= damaged.keySet().removeIf(file -> !files.contains(file) && !file.startsWith(RunFiles.LOG));
    }

    /// The files that are damaged and do not heal, each with the reason.
    public SortedMap<String, String> damaged() {
        return damaged;
    }

    /// The number of files that were rewritten since the run began, as far as is known.
    public long rewriteCount() {
        return rewriteCount;
    }
}
