package dev.cairn.store.log;

import dev.cairn.store.Attributes;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.segment.SegmentRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One entry of a run's commit log.
public sealed interface LogRecord {
    /// The position in the log, starting at 1.
    long number();

    /// The time of creation by the writer's clock. It does not define the order.
    Instant time();

    /// The outline of a committed checkpoint: everything in its record except the tensors, which are most of it. A
    /// [Manifest] has the tensors too.
    ///
    /// @param id unique among all checkpoints of all runs
    /// @param parent the checkpoint that this one is a delta of; null for a base, which needs no other checkpoint
    /// @param codec the codec as the user wrote it
    /// @param digest the digest of the values that a reader gets, computed from the digests of the segments
    /// @param replaces the first number of this checkpoint if this is a merged form of it; otherwise 0
    /// @param fullBytes the size of the tensors in memory; a tensor with several names counts once
    /// @param segments the segments in the order of the writers
    record Commit(
            long number,
            String id,
            long step,
            Instant time,
            @Nullable Parent parent,
            String codec,
            String digest,
            long replaces,
            long fullBytes,
            Attributes attributes,
            List<SegmentRef> segments)
            implements LogRecord {
        public Commit {
            segments = List.copyOf(segments);
        }

        /// The position among the checkpoints of the run. A merge does not make a checkpoint newer.
        public long position() {
            return replaces == 0 ? number : replaces;
        }

        /// Returns the same checkpoint in another store or another form.
        ///
        /// @param newParent the parent of the new form; null for a base
        /// @param replaced the first number of the checkpoint in that store; 0 if it is new there
        public Commit stored(long newNumber, @Nullable Parent newParent, long replaced, List<SegmentRef> newSegments) {
            return new Commit(
                    newNumber, id, step, time, newParent, codec, digest, replaced, fullBytes, attributes, newSegments);
        }

        /// `base`, `delta`, or `merged` if it was rewritten to shorten a long chain. A merged checkpoint may also
        /// have a parent.
        public String kind() {
            return replaces != 0 ? "merged" : parent == null ? "base" : "delta";
        }

        /// The names of the segments.
        public List<String> segmentNames() {
            return segments.stream().map(SegmentRef::name).toList();
        }

        /// The checkpoint's own files, relative to the run: its segments and its record.
        public List<String> files() {
            var files = new ArrayList<>(segmentNames());
            files.add(RunFiles.record(number));
            return List.copyOf(files);
        }

        /// The size of the segments on storage, in bytes.
        public long storedBytes() {
            return segments.stream().mapToLong(SegmentRef::sizeBytes).sum();
        }
    }

    /// The run was restarted from scratch here: checkpoints with lower numbers are no longer part of it.
    record FreshStart(long number, Instant time) implements LogRecord {}

    /// Of the checkpoints since the last fresh start, only these remain. The files of all others may be removed.
    /// The record names the start, so that checkpoints before it are safe even if the record of the start is lost.
    ///
    /// @param since the number of that start; 0 if there was none
    /// @param kept the numbers of the kept records, ascending
    record Pruned(long number, Instant time, long since, List<Long> kept) implements LogRecord {
        public Pruned {
            kept = List.copyOf(kept);
        }
    }

    /// This number was taken so that nothing else can be committed under it: the run changed its writer without
    /// being released, or a save was interrupted. Files staged under this number are leftovers from now on.
    ///
    /// @param from the previous holder of the run, in words for people
    /// @param by the new holder, in words for people
    record TakenOver(long number, Instant time, String from, String by) implements LogRecord {}

    /// A parent, named by its id and the digest of its values. It stays the parent if it is merged or moved.
    record Parent(String id, String digest) {
        /// Returns this checkpoint as a parent.
        public static Parent of(Commit checkpoint) {
            return new Parent(checkpoint.id(), checkpoint.digest());
        }
    }
}
