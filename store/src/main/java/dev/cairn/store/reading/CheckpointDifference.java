package dev.cairn.store.reading;

import dev.cairn.store.HealedDamage;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointReader.Piece;
import dev.cairn.store.segment.TensorRef;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/// The differences between two checkpoints, of one run or of two, tensor by tensor, in the order of the first.
/// Tensors that are stored in parts are compared whole, so it does not matter how they were split. Both are read
/// range by range, so that memory does not grow with their size. If their digests are equal, nothing is read.
///
/// @param tensors the tensors of the first checkpoint in its order, then those that only the second has
/// @param read whether values were read for the comparison
/// @param healed the damage of both that was met and did not matter
public record CheckpointDifference(List<TensorDifference> tensors, boolean read, List<HealedDamage> healed) {
    /// Sixteen blocks of each at a time.
    private static final long RANGE_BYTES = 4L << 20;

    public CheckpointDifference {
        tensors = List.copyOf(tensors);
        healed = List.copyOf(healed);
    }

    /// One of the two checkpoints.
    public record Side(CheckpointStore store, Commit checkpoint) {}

    /// Compares two checkpoints.
    ///
    /// @param progress receives the number of bytes compared of each, from time to time
    public static CheckpointDifference between(Side first, Side second, LongConsumer progress) throws IOException {
        Map<String, TensorSpec> before = specs(first);
        Map<String, TensorSpec> after = specs(second);
        String digest = first.checkpoint().digest();
        if (digest.equals(second.checkpoint().digest())) {
            return new CheckpointDifference(
                    before.values().stream()
                            .<TensorDifference>map(TensorDifference.Compared::same)
                            .toList(),
                    false,
                    List.of());
        }
        var tensors = new ArrayList<TensorDifference>();
        Collection<HealedDamage> healed;
        try (var reading = new Reading(first, second, progress)) {
            for (TensorSpec spec : before.values()) {
                TensorSpec other = after.remove(spec.key());
                if (other == null) {
                    tensors.add(new TensorDifference.Missing(spec));
                } else if (spec.type() != other.type() || !spec.shape().equals(other.shape())) {
                    tensors.add(new TensorDifference.Reshaped(spec, other));
                } else {
                    tensors.add(reading.compare(spec, other));
                }
            }
            healed = reading.healed();
        }
        after.values().forEach(spec -> tensors.add(new TensorDifference.Unexpected(spec)));
        return new CheckpointDifference(tensors, true, List.copyOf(healed));
    }

    /// Whether both have the same tensors with the same bits.
    public boolean isNone() {
        return tensors.stream().allMatch(TensorDifference::isNone);
    }

    private static Map<String, TensorSpec> specs(Side side) throws IOException {
        var specs = new LinkedHashMap<String, TensorSpec>();
        for (TensorSpec spec : TensorParts.joined(side.store().manifest(side.checkpoint()).tensors().stream()
                .map(TensorRef::spec)
                .toList())) {
            specs.put(spec.key(), spec);
        }
        return specs;
    }

    /// Both checkpoints, open for reading.
    private static final class Reading implements AutoCloseable {
        private final CheckpointReader first;
        private final CheckpointReader second;
        private final LongConsumer progress;
        private final MemorySegment before = Arena.ofAuto().allocate(RANGE_BYTES, 64);
        private final MemorySegment after = Arena.ofAuto().allocate(RANGE_BYTES, 64);
        private long compared;

        Reading(Side first, Side second, LongConsumer progress) throws IOException {
            this.progress = progress;
            this.first = first.store().open(first.checkpoint());
            try {
                this.second = second.store().open(second.checkpoint());
            } catch (IOException | RuntimeException e) {
                this.first.close();
                throw e;
            }
        }

        /// @param other the same tensor, perhaps with another role
        TensorDifference compare(TensorSpec spec, TensorSpec other) throws IOException {
            var difference = new ElementDifference(spec);
            for (long offset = 0; offset < spec.sizeBytes(); offset += RANGE_BYTES) {
                long length = Math.min(RANGE_BYTES, spec.sizeBytes() - offset);
                MemorySegment a = before.asSlice(0, length);
                MemorySegment b = after.asSlice(0, length);
                first.read(List.of(new Piece(spec, offset, a)));
                second.read(List.of(new Piece(other, offset, b)));
                difference.add(a, b);
                compared += length;
                progress.accept(compared);
            }
            return difference.result();
        }

        /// Both may be of one run, and need the same file.
        Collection<HealedDamage> healed() {
            var healed = new LinkedHashMap<String, HealedDamage>();
            first.healed().forEach(each -> healed.put(each.damage().file(), each));
            second.healed().forEach(each -> healed.putIfAbsent(each.damage().file(), each));
            return healed.values();
        }

        @Override
        public void close() throws IOException {
            try (first) {
                second.close();
            }
        }
    }
}
