package dev.cairn.store;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One entry of a run's commit log.
public sealed interface LogRecord {
    /// Its place in the log, from 1 on.
    long number();

    /// When it was made, by the writer's clock; orders nothing.
    Instant time();

    /// A committed checkpoint: which tensors it holds and where their bytes are.
    ///
    /// @param id unique among all checkpoints ever made; segments carry it too
    /// @param parent the checkpoint whose reconstruction this one changes; null for a base, which stands alone
    /// @param codec what the user asked for, as they wrote it
    /// @param digest of the values that a reader gets, see [StateDigest]; empty before version 3
    /// @param replaces the number that this checkpoint first had, where this is a merged form of it; otherwise 0
    record Checkpoint(
            long number,
            String id,
            long step,
            Instant time,
            @Nullable Parent parent,
            String codec,
            String digest,
            long replaces,
            Attributes attributes,
            List<SegmentRef> segments,
            List<TensorRef> tensors)
            implements LogRecord {
        public Checkpoint {
            segments = List.copyOf(segments);
            tensors = tensors instanceof DeferredTensors ? tensors : List.copyOf(tensors);
        }

        /// The same with these tensors.
        Checkpoint with(DeferredTensors deferred) {
            return new Checkpoint(
                    number, id, step, time, parent, codec, digest, replaces, attributes, segments, deferred);
        }

        /// Where it stands among the run's checkpoints: merging one does not make it newer.
        public long position() {
            return replaces == 0 ? number : replaces;
        }

        /// The same checkpoint in another store, or in another form.
        Checkpoint stored(long newNumber, long replaced, List<SegmentRef> newSegments) {
            return new Checkpoint(
                    newNumber, id, step, time, parent, codec, digest, replaced, attributes, newSegments, tensors);
        }

        /// `base`, `delta`, or `merged` where it is stored anew in place of a long chain; then too it may have a
        /// parent.
        public String kind() {
            return replaces != 0 ? "merged" : parent == null ? "base" : "delta";
        }

        /// What the tensors take as they are in memory, each once, however many names it has.
        public long fullBytes() {
            if (tensors instanceof DeferredTensors deferred
                    && deferred.fullBytes().isPresent()) {
                return deferred.fullBytes().getAsLong();
            }
            var counted = new HashSet<List<Long>>();
            return tensors.stream()
                    .filter(tensor -> tensor.spec().sizeBytes() > 0)
                    .filter(tensor -> counted.add(List.of((long) tensor.segment(), tensor.firstBlock())))
                    .mapToLong(tensor -> tensor.spec().sizeBytes())
                    .sum();
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
    /// @param since the number of that start, 0 where there was none; absent in the first records of this kind
    /// @param kept numbers of records, ascending
    record Pruned(long number, Instant time, OptionalLong since, List<Long> kept) implements LogRecord {
        public Pruned {
            kept = List.copyOf(kept);
        }
    }

    /// The run went from one writer to another without being given back: from here on the one before, should it come
    /// back, finds its next number taken.
    ///
    /// @param from who held the run, for people
    /// @param by who took it, for people
    record TakenOver(long number, Instant time, String from, String by) implements LogRecord {}

    /// A segment as its checkpoint knows it. The checksum of its index covers every block's checksum.
    record SegmentRef(String name, long sizeBytes, int indexCrc) {
        public SegmentRef {
            BlobNames.checked(name);
        }
    }

    /// A parent by id and by what its values were: it may be merged or moved, and still be the parent.
    ///
    /// @param digest empty before version 3
    record Parent(String id, String digest) {
        /// This checkpoint as a parent.
        public static Parent of(Checkpoint checkpoint) {
            return new Parent(checkpoint.id(), checkpoint.digest());
        }
    }

    /// Where a tensor's blocks are: `firstBlock` of segment number `segment` of the checkpoint's list, and those
    /// after.
    ///
    /// @param codec how it was encoded, for people; the blocks say it themselves
    /// @param storedBytes what its blocks take, for people; absent in records from before it was written
    /// @param relativeError how far off it is from what was live, relative to that; absent where not measured
    record TensorRef(
            TensorSpec spec,
            String codec,
            int segment,
            long firstBlock,
            OptionalLong storedBytes,
            OptionalDouble relativeError) {
        /// Of which no more is known than where it is.
        public TensorRef(TensorSpec spec, String codec, int segment, long firstBlock) {
            this(spec, codec, segment, firstBlock, OptionalLong.empty(), OptionalDouble.empty());
        }
    }
}
