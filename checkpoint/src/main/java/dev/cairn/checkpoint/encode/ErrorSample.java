package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.WeightError;
import dev.cairn.codec.Reals;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/// The error of a stored tensor relative to the live one, `‖r − u‖ / ‖u‖`. It is measured while the blocks are
/// encoded, because only then both are available. Exact for tensors of up to 65,536 elements. Of larger ones about as
/// many elements are measured, evenly spaced, so it costs almost nothing. Several threads may measure blocks.
sealed interface ErrorSample {
    /// Adds a block.
    ///
    /// @param u the live values
    /// @param r the values that a reader will hold
    void measure(long block, MemorySegment u, MemorySegment r);

    /// The relative error over all blocks; empty if it is not measured.
    OptionalDouble relative();

    /// For a tensor of an exact checkpoint, for which no error per tensor is reported.
    record NotAsked() implements ErrorSample {
        @Override
        public void measure(long block, MemorySegment u, MemorySegment r) {}

        @Override
        public OptionalDouble relative() {
            return OptionalDouble.empty();
        }
    }

    /// For an exact tensor in a checkpoint that is not exact.
    record None() implements ErrorSample {
        @Override
        public void measure(long block, MemorySegment u, MemorySegment r) {}

        @Override
        public OptionalDouble relative() {
            return OptionalDouble.of(0);
        }
    }

    /// For a floating-point tensor that may lose precision.
    final class Sampled implements ErrorSample {
        private static final long MOST_ELEMENTS = 1 << 16;

        private final TensorSpec spec;
        /// Odd, so that it does not always hit the same column of a matrix.
        private final long stride;
        /// Per block, so that sums do not depend on the order of the threads.
        private final double[] errorSquares;
        private final double[] squares;

        Sampled(TensorSpec spec) {
            long elements = spec.sizeBytes() / spec.type().sizeBytes();
            int blocks = Math.toIntExact(Math.ceilDiv(spec.sizeBytes(), BlockEncoder.blockBytes(spec.type())));
            this.spec = spec;
            this.stride = Math.ceilDiv(elements, MOST_ELEMENTS) | 1;
            this.errorSquares = new double[blocks];
            this.squares = new double[blocks];
        }

        @Override
        public void measure(long block, MemorySegment u, MemorySegment r) {
            long count = u.byteSize() / spec.type().sizeBytes();
            long before =
                    block * (BlockEncoder.blockBytes(spec.type()) / spec.type().sizeBytes());
            double error = 0;
            double size = 0;
            for (long i = Math.ceilDiv(before, stride) * stride - before; i < count; i += stride) {
                double live = Reals.get(spec.type(), u, i);
                double off = Reals.get(spec.type(), r, i) - live;
                size += live * live;
                error += off * off;
            }
            errorSquares[(int) block] = error;
            squares[(int) block] = size;
        }

        @Override
        public OptionalDouble relative() {
            return OptionalDouble.of(WeightError.relative(
                    DoubleStream.of(errorSquares).sum(),
                    DoubleStream.of(squares).sum()));
        }
    }
}
