package dev.cairn.train.data;

/// The order of the examples: which of them are in the batch at a position. It is a pure function of the position, so
/// that only the [Cursor] needs to be saved. For one thread at a time.
public interface DataOrder {
    /// The number of examples in the batch at this position.
    int sizeAt(Cursor cursor, int batch);

    /// The number of the i-th example of the batch at this position.
    int exampleAt(Cursor cursor, int i);

    /// The position after the batch at this position.
    Cursor after(Cursor cursor, int batch);

    /// A position in the data: `position` examples of `epoch` have been used.
    record Cursor(long epoch, int position) {
        public static final Cursor START = new Cursor(0, 0);

        public Cursor {
            if (epoch < 0 || position < 0) {
                throw new IllegalArgumentException(
                        "not a position in the data: epoch=%d position=%d".formatted(epoch, position));
            }
        }

        /// The position after this many examples of a split of this size.
        public static Cursor of(long examples, int count) {
            return new Cursor(examples / count, (int) (examples % count));
        }

        /// How many examples were used, of a split of this size.
        public long examples(int count) {
            return Math.addExact(Math.multiplyExact(epoch, count), position);
        }
    }

    /// Throws if there is no example.
    static int checked(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "the data has no example to train on: count=%d; check its files".formatted(count));
        }
        return count;
    }
}
