package dev.cairn.train.batch;

/// The part of the work that one of several equal processes does. The parts of a whole differ by one item at most,
/// and together they are the whole.
///
/// @param rank the place of the process among the others, from 0
/// @param of the number of processes
public record Share(int rank, int of) {
    /// All the work, for a process on its own.
    public static final Share ALL = new Share(0, 1);

    public Share {
        if (of < 1 || rank < 0 || rank >= of) {
            throw new IllegalArgumentException("not a place among processes: rank=%d of=%d".formatted(rank, of));
        }
    }

    /// The first of `count` items that is in this part.
    public int begin(int count) {
        return (int) ((long) count * rank / of);
    }

    /// The number of `count` items that are in this part.
    public int size(int count) {
        return (int) ((long) count * (rank + 1) / of) - begin(count);
    }

    /// Whether this process does the item of this number, if whole items are dealt out in turn.
    public boolean has(int item) {
        return item % of == rank;
    }
}
