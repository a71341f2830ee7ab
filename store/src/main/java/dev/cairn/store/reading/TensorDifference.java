package dev.cairn.store.reading;

import dev.cairn.store.TensorSpec;

/// The difference of one tensor between two checkpoints.
public sealed interface TensorDifference {
    /// The name of the tensor, in one of them or in both.
    String name();

    /// Only the first checkpoint has the tensor.
    record Missing(TensorSpec first) implements TensorDifference {
        @Override
        public String name() {
            return first.name();
        }
    }

    /// Only the second checkpoint has the tensor.
    record Unexpected(TensorSpec second) implements TensorDifference {
        @Override
        public String name() {
            return second.name();
        }
    }

    /// Both have the tensor, with different types or shapes. The values were not compared.
    record Reshaped(TensorSpec first, TensorSpec second) implements TensorDifference {
        @Override
        public String name() {
            return first.name();
        }
    }

    /// Both have the tensor, and the values were compared. Elements are equal if all their bits are equal: a NaN
    /// equals itself, and 0 does not equal −0.
    ///
    /// @param equalElements the number of elements with the same bits
    /// @param norm the norm of the change, over all elements whose change is finite
    /// @param firstNorm the norm of the first tensor's finite elements; NaN if they were not read
    /// @param largest the largest absolute finite change of an element
    /// @param notFinite the number of elements with different bits whose change is not finite: one of the two is
    ///     NaN or infinite
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

        /// An identical tensor, known to be equal without reading it.
        static Compared same(TensorSpec spec) {
            long elements = spec.sizeBytes() / spec.type().sizeBytes();
            return new Compared(spec, elements, elements, 0, Double.NaN, 0, 0);
        }

        /// Whether every bit is the same.
        public boolean isSame() {
            return equalElements == elements;
        }

        /// The norm of the change relative to the norm of the first; 0 if nothing changed.
        public double relativeNorm() {
            return norm == 0 ? 0 : norm / firstNorm;
        }

        /// The fraction of elements with the same bits; 1 for a tensor without elements.
        public double equalShare() {
            return elements == 0 ? 1 : (double) equalElements / elements;
        }
    }

    /// Whether the tensor is the same in both, bit for bit.
    default boolean isNone() {
        return this instanceof Compared compared && compared.isSame();
    }
}
