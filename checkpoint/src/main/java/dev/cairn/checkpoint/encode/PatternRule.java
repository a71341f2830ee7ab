package dev.cairn.checkpoint.encode;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.capture.Capture;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.SegmentTables;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.pattern.MatrixPatterns;
import dev.cairn.codec.pattern.PatternSearch;
import dev.cairn.codec.pattern.Patterns;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Finds what the rows of each weight matrix have in common, for codecs that quantize deltas in uniform steps. A small
/// part of the rows is enough, because patterns are the same for all rows.
final class PatternRule {
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Patterns of fewer elements would cost more than they save.
    private static final long LEAST_ELEMENTS = 1 << 11;

    private static final long LEAST_ROWS = 32;
    private static final int SAMPLES = 256;

    private final boolean applies;
    private final Map<String, PatternSearch> searches = new HashMap<>();

    PatternRule(Codec codec) {
        this.applies = codec.ofWeights() instanceof Codec.Uniform || codec.ofWeights() instanceof Codec.UniformOfState;
    }

    /// The patterns of a checkpoint, by the key of their tensor, in the order of their indices.
    record Found(Map<String, Matrix> matrices) {
        static final Found NONE = new Found(Map.of());

        /// Adds what the patterns leave of the deltas, in the place of those of the whole matrices.
        StateSample.Bins bins(StateSample sample, List<String> keys) {
            StateSample.Bins bins = sample.deltaBins(tensor -> !matrices.containsKey(keys.get(tensor)));
            for (Matrix matrix : matrices.values()) {
                bins.addAll(matrix.found().rest(), matrix.weight());
            }
            return bins;
        }

        SegmentTables tables(TableSet codes) {
            return new SegmentTables(
                    codes,
                    matrices.values().stream()
                            .map(matrix -> matrix.target().patterns())
                            .toList());
        }
    }

    /// The patterns of one matrix.
    ///
    /// @param found with some of the deltas that they leave
    /// @param weight the number of elements that each of these stands for
    record Matrix(MatrixPatterns target, PatternSearch.Result found, double weight) {
        /// The precision of amounts beside a quantizer with this step.
        double precision(double step) {
            return Math.min(step, found.precision());
        }
    }

    /// Finds the patterns of the next checkpoint.
    ///
    /// @param references the values that a reader holds, in the order of the tensors
    Found find(List<Capture.Tensor> captured, List<MemorySegment> references) {
        if (!applies) {
            return Found.NONE;
        }
        var found = new LinkedHashMap<String, Matrix>();
        for (int i = 0; i < captured.size(); i++) {
            TensorSpec spec = captured.get(i).spec();
            if (suits(spec)) {
                Matrix matrix = find(spec, captured.get(i).bytes(), references.get(i), found.size());
                if (matrix != null) {
                    found.put(spec.key(), matrix);
                }
            }
        }
        return new Found(found);
    }

    private static boolean suits(TensorSpec spec) {
        return spec.role() == Role.WEIGHT
                && spec.type() == ElementType.FLOAT32
                && spec.shape().size() > 1
                && elements(spec) >= LEAST_ELEMENTS
                && spec.shape().getFirst() >= LEAST_ROWS
                && Patterns.suits(elements(spec) / spec.shape().getFirst());
    }

    private static long elements(TensorSpec spec) {
        return spec.sizeBytes() / spec.type().sizeBytes();
    }

    private @Nullable Matrix find(TensorSpec spec, MemorySegment live, MemorySegment reference, int index) {
        long rows = spec.shape().getFirst();
        int columns = (int) (elements(spec) / rows);
        PatternSearch search = searches.computeIfAbsent(spec.key() + " " + columns, _ -> new PatternSearch(columns));
        int count = (int) Math.min(SAMPLES, rows / 2);
        long[] sampled = LongStream.range(0, count).map(i -> i * rows / count).toArray();
        // The rows next to sampled ones, none of which is sampled itself.
        long[] tested = Arrays.stream(sampled).map(row -> row + 1).toArray();
        PatternSearch.Result found =
                search.next(rows(live, reference, columns, sampled), rows(live, reference, columns, tested), rows);
        return found == null
                ? null
                : new Matrix(
                        new MatrixPatterns(found.patterns(), index),
                        found,
                        (double) rows * columns / found.rest().length);
    }

    private static PatternSearch.Rows rows(MemorySegment live, MemorySegment reference, int columns, long[] rows) {
        float[] deltas = new float[rows.length * columns];
        float[] before = new float[columns];
        for (int i = 0; i < rows.length; i++) {
            long at = 4L * columns * rows[i];
            MemorySegment.copy(live, F32, at, deltas, i * columns, columns);
            MemorySegment.copy(reference, F32, at, before, 0, columns);
            for (int j = 0; j < columns; j++) {
                deltas[i * columns + j] -= before[j];
            }
        }
        return new PatternSearch.Rows(deltas, rows.length);
    }
}
