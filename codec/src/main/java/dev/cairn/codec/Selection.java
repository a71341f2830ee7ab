package dev.cairn.codec;

/// The elements of a tensor that are kept: whole runs of the same length, of which the last may be shorter. A selection
/// is filled once and then only read. Blocks of the tensor need not be aligned with runs.
public final class Selection {
    private final int run;
    private final long runs;
    private final long[] words;
    private long elements;
    private final long total;

    /// Creates an empty selection.
    ///
    /// @param run the number of elements in a run
    /// @param total the number of elements in the tensor
    public Selection(int run, long total) {
        if (run < 1 || total < 0) {
            throw new IllegalArgumentException("invalid selection: run=%d elements=%d".formatted(run, total));
        }
        this.run = run;
        this.total = total;
        this.runs = Math.ceilDiv(total, (long) run);
        this.words = new long[Math.toIntExact((runs + 63) >>> 6)];
    }

    /// The number of elements in a run.
    public int run() {
        return run;
    }

    /// The number of runs in the tensor.
    public long runs() {
        return runs;
    }

    /// The number of elements in the run of this number.
    public int lengthOf(long number) {
        return (int) Math.min(run, total - number * run);
    }

    /// Adds a run.
    public void add(long number) {
        if (!contains(number)) {
            words[(int) (number >>> 6)] |= 1L << number;
            elements += lengthOf(number);
        }
    }

    /// Whether the run is kept.
    public boolean contains(long number) {
        return (words[(int) (number >>> 6)] >>> number & 1) != 0;
    }

    /// The number of elements kept.
    public long elements() {
        return elements;
    }
}
