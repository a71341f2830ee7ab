package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import java.time.Instant;
import java.util.Optional;

/// A checkpoint of a run, as the run's log describes it. A value: it holds no tensors and reads no files.
///
/// @param number its place among the run's checkpoints, from 1 on, with gaps; a higher number is newer, and merging
///     keeps it
/// @param id unique among all checkpoints of all runs
/// @param step after which the state was saved
/// @param time of the save, by the writer's clock; it orders nothing
/// @param parentId the checkpoint that a reader needs, too; empty if it needs no other
/// @param codec how it was encoded, as [Codec#text] has it
/// @param storedBytes what its segments take on storage, without its parents
/// @param fullBytes what its tensors take in memory
/// @param error of its weights; [WeightError#NONE] if they were stored exactly
/// @param attributes what the training saved with its tensors
public record Checkpoint(
        long number,
        String id,
        long step,
        Instant time,
        Kind kind,
        Optional<String> parentId,
        String codec,
        long storedBytes,
        long fullBytes,
        WeightError error,
        Attributes attributes) {
    /// How a checkpoint is stored.
    public enum Kind {
        /// It needs no other checkpoint.
        BASE,
        /// It holds what changed since its parent.
        DELTA,
        /// It was a delta with many parents, and was rewritten so that a reader needs one parent at most.
        MERGED
    }

    /// The checkpoint of this record.
    public static Checkpoint of(Commit commit) {
        Kind kind = commit.replaces() != 0 ? Kind.MERGED : commit.parent() == null ? Kind.BASE : Kind.DELTA;
        return new Checkpoint(
                commit.position(),
                commit.id(),
                commit.step(),
                commit.time(),
                kind,
                Optional.ofNullable(commit.parent()).map(Parent::id),
                commit.codec(),
                commit.storedBytes(),
                commit.fullBytes(),
                WeightError.of(commit.attributes()),
                commit.attributes());
    }

    /// Where its run was forked from; empty if the run began on its own.
    public Optional<Origin> origin() {
        return Origin.of(attributes);
    }
}
