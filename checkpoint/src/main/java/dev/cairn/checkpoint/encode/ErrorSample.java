package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.WeightError;
import dev.cairn.codec.Reals;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/// How far off a stored tensor is from the live one, `‖r − u‖ / ‖u‖`: measured while its blocks are encoded,
/// because nobody has both later. Exact for tensors of up to 65,536 elements; of larger ones about as many are
/// looked at, evenly apart, so that it costs next to nothing. Blocks may be measured by several threads.
sealed interface ErrorSample {
    /// Counts a block in.
    ///
    /// @param u what was live
    /// @param r what a reader will hold
    void measure(long block, MemorySegment u, MemorySegment r);

    /// What all blocks came to; empty where that is not asked.
    OptionalDouble relative();

    /// Of a tensor of a checkpoint that is exact throughout, which need not be told tensor by tensor.
    record NotAsked() implements ErrorSample {
        @Override
        public void measure(long block, MemorySegment u, MemorySegment r) {}

        @Override
        public OptionalDouble relative() {
            return OptionalDouble.empty();
        }
    }

    /// Of a tensor that is exact in a checkpoint that is not.
    record None() implements ErrorSample {
        @Override
        public void measure(long block, MemorySegment u, MemorySegment r) {}

        @Override
        public OptionalDouble relative() {
            return OptionalDouble.of(0);
        }
    }

    /// Of a floating-point tensor that may lose something.
    final class Sampled implements ErrorSample {
        private static final long MOST_ELEMENTS = 1 << 16;

        private final TensorSpec spec;
        /// Odd, so that it does not keep to one column of a matrix.
        private final long stride;
        /// By block, so that sums do not depend on which thread was first.
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
