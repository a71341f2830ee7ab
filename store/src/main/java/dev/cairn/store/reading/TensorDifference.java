package dev.cairn.store.reading;

import dev.cairn.store.TensorSpec;

/// How one tensor of two checkpoints differs.
public sealed interface TensorDifference {
    /// Its name, in one of them or in both.
    String name();

    /// Only the first has it.
    record Missing(TensorSpec first) implements TensorDifference {
        @Override
        public String name() {
            return first.name();
        }
    }

    /// Only the second has it.
    record Unexpected(TensorSpec second) implements TensorDifference {
        @Override
        public String name() {
            return second.name();
        }
    }

    /// Both have it, in other types or shapes: values were not compared.
    record Reshaped(TensorSpec first, TensorSpec second) implements TensorDifference {
        @Override
        public String name() {
            return first.name();
        }
    }

    /// Both have it, and the values were compared. Elements are equal where all their bits are: a NaN equals itself,
    /// and 0 does not equal −0.
    ///
    /// @param equalElements how many have the same bits
    /// @param norm of the change, over all elements whose change is a finite number
    /// @param firstNorm of the first one's elements, where they are finite; NaN where they were not read
    /// @param largest absolute change of an element, of those that are finite
    /// @param notFinite elements with other bits whose change is no finite number: one of them is NaN or infinite
    record Compared(
            TensorSpec first,
            long elements,
            long equalElements,
            double norm,
            double firstNorm,
            double largest,
            long notFinite)
            implements TensorDifference {
        @Override
        public String name() {
            return first.name();
        }

        /// The same throughout, known without reading it.
        static Compared same(TensorSpec spec) {
            long elements = spec.sizeBytes() / spec.type().sizeBytes();
            return new Compared(spec, elements, elements, 0, Double.NaN, 0, 0);
        }

        /// Whether every bit is the same.
        public boolean isSame() {
            return equalElements == elements;
        }

        /// The norm of the change relative to that of the first; 0 where nothing changed.
        public double relativeNorm() {
            return norm == 0 ? 0 : norm / firstNorm;
        }

        /// The share of elements with the same bits; 1 for a tensor without elements.
        public double equalShare() {
            return elements == 0 ? 1 : (double) equalElements / elements;
        }
    }

    /// Whether the tensor is the same in both, bit for bit.
    default boolean isNone() {
        return this instanceof Compared compared && compared.isSame();
    }
}
