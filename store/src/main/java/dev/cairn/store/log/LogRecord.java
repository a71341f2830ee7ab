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
    /// Its place in the log, from 1 on.
    long number();

    /// When it was made, by the writer's clock; orders nothing.
    Instant time();

    /// The outline of a committed checkpoint: all that the log says of it but its tensors, which are most of a
    /// record. What it holds is a [Manifest].
    ///
    /// @param id unique among all checkpoints ever made
    /// @param parent the checkpoint whose reconstruction this one changes; null for a base, which needs no other
    /// @param codec what the user asked for, as they wrote it
    /// @param digest of the values that a reader gets, composed of its segments' digests
    /// @param replaces the number that this checkpoint first had, where this is a merged form of it; otherwise 0
    /// @param fullBytes what the tensors take in memory, each once, however many names it has
    /// @param segments in the order of the writers
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

        /// Where it stands among the run's checkpoints: merging one does not make it newer.
        public long position() {
            return replaces == 0 ? number : replaces;
        }

        /// The same checkpoint in another store, or in another form.
        ///
        /// @param newParent what the new form is a delta of; null for a base
        /// @param replaced the number that it first had there; 0 where it is new
        public Commit stored(long newNumber, @Nullable Parent newParent, long replaced, List<SegmentRef> newSegments) {
            return new Commit(
                    newNumber, id, step, time, newParent, codec, digest, replaced, fullBytes, attributes, newSegments);
        }

        /// `base`, `delta`, or `merged` where it was rewritten in place of a long chain; then too it may have a
        /// parent.
        public String kind() {
            return replaces != 0 ? "merged" : parent == null ? "base" : "delta";
        }

        /// The names of its segments.
        public List<String> segmentNames() {
            return segments.stream().map(SegmentRef::name).toList();
        }

        /// The files that it has of its own, relative to the run: its segments and its record.
        public List<String> files() {
            var files = new ArrayList<>(segmentNames());
            files.add(RunFiles.record(number));
            return List.copyOf(files);
        }

        /// What the segments take on storage.
        public long storedBytes() {
            return segments.stream().mapToLong(SegmentRef::sizeBytes).sum();
        }
    }

    /// The run was begun anew here: checkpoints of lower numbers are no longer part of it.
    record FreshStart(long number, Instant time) implements LogRecord {}

    /// Of the checkpoints since the last fresh start, only these are left: files of all others may be
    /// removed. The start is named, so that its record may be lost and what came before it is safe.
    ///
    /// @param since the number of that start, 0 where there was none
    /// @param kept numbers of records, ascending
    record Pruned(long number, Instant time, long since, List<Long> kept) implements LogRecord {
        public Pruned {
            kept = List.copyOf(kept);
        }
    }

    /// This number was taken so that nothing else can be committed under it: the run went from one writer to
    /// another without being given back, or a save was cut off. What was staged under this number is a leftover
    /// from here on.
    ///
    /// @param from who held the run, for people
    /// @param by who took it, for people
    record TakenOver(long number, Instant time, String from, String by) implements LogRecord {}

    /// A parent by id and by what its values were: it may be merged or moved, and still be the parent.
    record Parent(String id, String digest) {
        /// This checkpoint as a parent.
        public static Parent of(Commit checkpoint) {
            return new Parent(checkpoint.id(), checkpoint.digest());
        }
    }
}
