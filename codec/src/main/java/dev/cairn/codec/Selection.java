package dev.cairn.codec;

/// Which elements of a tensor are kept: whole runs of the same length, the last one maybe shorter. Filled once, then
/// only read; blocks of the tensor may lie across runs in any way.
public final class Selection {
    private final int run;
    private final long runs;
    private final long[] words;
    private long elements;
    private final long total;

    /// Nothing yet.
    ///
    /// @param run elements of a run
    /// @param total elements of the tensor
    public Selection(int run, long total) {
        if (run < 1 || total < 0) {
            throw new IllegalArgumentException("no selection: run=%d elements=%d".formatted(run, total));
        }
        this.run = run;
        this.total = total;
        this.runs = Math.ceilDiv(total, (long) run);
        this.words = new long[Math.toIntExact((runs + 63) >>> 6)];
    }

    /// Elements of a run.
    public int run() {
        return run;
    }

    /// How many runs the tensor has.
    public long runs() {
        return runs;
    }

    /// How many elements the run of this number has.
    public int lengthOf(long number) {
        return (int) Math.min(run, total - number * run);
    }

    /// Keeps a run.
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

    /// How many elements are kept.
    public long elements() {
        return elements;
    }
}
