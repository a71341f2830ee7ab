package dev.cairn.codec.pattern;

import dev.cairn.codec.TrialBlock;
import dev.cairn.codec.Twins;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorLoop.Trial;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Uses the vector code if it is hot, and its scalar twin otherwise. Not thread-safe.
public final class WarmPatterns implements PatternKernels {
    static final VectorLoop PROJECT = new VectorLoop("project", () -> VectorPatterns.isSupported(), () -> {
        var rows = new TrialRows();
        return Trial.of(new VectorPatterns(), new ScalarPatterns(), rows::project);
    });

    static final VectorLoop ADD = VectorLoop.ofBoth("add patterns", () -> VectorPatterns.isSupported(), () -> {
        var rows = new TrialRows();
        return Trial.of(new VectorPatterns(), new ScalarPatterns(), rows::add);
    });

    private final Twins<PatternKernels> twins = new Twins<>(new ScalarPatterns(), () -> new VectorPatterns());

    /// The loops in which finding patterns, and adding them to the reference, spends its time.
    public static List<VectorLoop> encodingLoops() {
        return List.of(PROJECT, ADD);
    }

    @Override
    public boolean subtract(MemorySegment u, MemorySegment r, int element, int count, float[] deltas, int at) {
        return twins.of(PROJECT, 4L * count).subtract(u, r, element, count, deltas, at);
    }

    @Override
    public void add(MemorySegment r, int element, int rows, Patterns patterns, float[] amounts, int at, float scale) {
        twins.of(ADD, 4L * rows * patterns.columns()).add(r, element, rows, patterns, amounts, at, scale);
    }

    @Override
    public void project(float[] deltas, int rows, int columns, float[] lanes, float[] dots) {
        twins.of(PROJECT, 4L * rows * columns).project(deltas, rows, columns, lanes, dots);
    }

    /// As many elements as a [TrialBlock].
    private static final class TrialRows {
        private static final int ROWS = 8;
        private static final int COLUMNS = TrialBlock.ELEMENTS / ROWS;

        private final float[] deltas = new float[ROWS * COLUMNS];
        private final float[] lanes = new float[COLUMNS * Patterns.MOST];
        private final float[] dots = new float[ROWS * Patterns.MOST];
        private final float[] amounts = new float[ROWS * Patterns.MOST];
        private final TrialBlock block = TrialBlock.ofWeights();
        private final Patterns patterns = new Patterns(COLUMNS, new float[Patterns.MOST][COLUMNS]);

        TrialRows() {
            Arrays.fill(deltas, TrialBlock.SPREAD);
            Arrays.fill(lanes, 1);
            Arrays.fill(amounts, 1);
        }

        void project(PatternKernels kernels) {
            kernels.project(deltas, ROWS, COLUMNS, lanes, dots);
        }

        void add(PatternKernels kernels) {
            kernels.add(block.reference(), 0, ROWS, patterns, amounts, 0, TrialBlock.SPREAD);
        }
    }
}
