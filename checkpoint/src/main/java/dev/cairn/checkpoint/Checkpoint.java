package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.log.LogRecord.Parent;
import java.time.Instant;
import java.util.Optional;

/// A checkpoint of a run, as the run's log describes it. A value: it holds no tensors and reads no files.
///
/// @param number its position among the checkpoints of the run, from 1 on, with gaps; a higher number is newer,
///     and merging keeps it
/// @param id unique among all checkpoints of all runs
/// @param step the step after which the state was saved
/// @param time the time of the save, by the writer's clock; it does not define an order
/// @param parentId the id of the checkpoint that a reader also needs; empty if it needs no other
/// @param codec how it was encoded, as [Codec#text]
/// @param storedBytes the size of its segments on storage, without its parents
/// @param fullBytes the size of its tensors in memory
/// @param error the error of its weights; [WeightError#NONE] if they were stored exactly
/// @param attributes the attributes that the training saved with its tensors
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
        /// It was a delta with many parents, and was rewritten so that a reader needs at most one parent.
        MERGED
    }

    /// Returns the checkpoint that this record describes.
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

    /// The checkpoint that its run was forked from; empty if the run was not forked.
    public Optional<Origin> origin() {
        return Origin.of(attributes);
    }
}
