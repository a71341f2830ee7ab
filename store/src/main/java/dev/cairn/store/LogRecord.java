package dev.cairn.store;

import java.time.Instant;
import java.util.List;

/// One entry of a run's commit log.
public sealed interface LogRecord {
    long number();

    Instant time();

    /// A committed checkpoint: which tensors it holds and where their bytes are.
    ///
    /// @param id unique among all checkpoints ever made; segments carry it too
    record Checkpoint(
            long number,
            String id,
            long step,
            Instant time,
            Attributes attributes,
            List<SegmentRef> segments,
            List<TensorRef> tensors)
            implements LogRecord {
        public Checkpoint {
            segments = List.copyOf(segments);
            tensors = List.copyOf(tensors);
        }

        /// What the tensors take as they are in memory.
        public long fullBytes() {
            return tensors.stream()
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

    /// A segment as its checkpoint knows it. The checksum of its index covers every block's checksum.
    record SegmentRef(String name, long sizeBytes, int indexCrc) {
        public SegmentRef {
            BlobNames.checked(name);
        }
    }

    /// Where a tensor's blocks are: `firstBlock` of segment number `segment` (of the checkpoint's list) and those after
    /// it.
    record TensorRef(TensorSpec spec, int segment, long firstBlock) {}
}
