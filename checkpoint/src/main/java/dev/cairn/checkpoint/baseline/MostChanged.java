package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.Selection;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.SparseEncoder;
import dev.cairn.codec.sparse.SparseBlock;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// SCAR (Qiao et al., *Fault Tolerance in Iterative-Convergent Machine Learning*, ICML 2019) and TOPN. Each
/// checkpoint saves the given fraction of the state unchanged: the part that changed most since it was last saved.
/// For the rest a reader has the newest saved value.
///
/// The fraction applies to the elements of each role, over all its tensors together. Changes of weights and of second
/// moments differ by orders of magnitude, and a common ranking would never save the latter. Rows are ranked by the
/// mean square of their changes. Among rows of the same length this is the order of their distances, and a longer row
/// costs more. An unchanged element is never saved.
public final class MostChanged implements Baseline {
    /// Longer rows are split: one of them might be more than the whole fraction.
    private static final int LONGEST_ROW = 4096;

    /// A vector has no rows, so it is split into pieces of this length.
    private static final int OF_A_VECTOR = 64;

    /// The unit that is saved as a whole or not at all.
    public enum Unit {
        /// One element: TOPN.
        ELEMENT,
        /// All elements with the same index in the first dimension: SCAR.
        ROW
    }

    private final double fraction;
    private final Unit unit;
    private final SparseBlock buffers = new SparseBlock();

    /// Saves this fraction of the state.
    public MostChanged(double fraction, Unit unit) {
        this.fraction = fraction;
        this.unit = unit;
    }

    @Override
    public Map<String, BlockEncoder> prepare(List<TensorPair> state) {
        var byRole = new EnumMap<Role, List<TensorPair>>(Role.class);
        for (TensorPair tensor : state) {
            byRole.computeIfAbsent(tensor.spec().role(), _ -> new ArrayList<>()).add(tensor);
        }
        var encoders = new HashMap<String, BlockEncoder>();
        for (List<TensorPair> tensors : byRole.values()) {
            List<Selection> selections = select(tensors);
            for (int t = 0; t < tensors.size(); t++) {
                TensorSpec spec = tensors.get(t).spec();
                encoders.put(spec.key(), new SparseEncoder(spec.type(), selections.get(t), buffers));
            }
        }
        return encoders;
    }

    /// Selects what is saved of these tensors: together at most the fraction of their elements.
    List<Selection> select(List<TensorPair> tensors) {
        List<Selection> selections = tensors.stream()
                .map(tensor -> new Selection(run(tensor.spec()), tensor.elements()))
                .toList();
        long elements = tensors.stream().mapToLong(TensorPair::elements).sum();
        long budget = (long) (fraction * elements);
        var threshold = new Threshold();
        forEach(tensors, selections, threshold::countHigh);
        threshold.enter(budget);
        forEach(tensors, selections, threshold::countLow);
        int border = threshold.find();
        long[] left = {budget - threshold.above()};
        forEach(tensors, selections, (score, length, selection, number) -> {
            if (Integer.compare(score, border) > 0) {
                selection.add(number);
            } else if (score == border && length <= left[0]) {
                left[0] -= length;
                selection.add(number);
            }
        });
        return selections;
    }

    private int run(TensorSpec spec) {
        if (unit == Unit.ELEMENT) {
            return 1;
        }
        long row = 1;
        for (long dimension : spec.shape()
                .subList(Math.min(1, spec.shape().size()), spec.shape().size())) {
            row *= dimension;
        }
        return spec.shape().size() < 2 ? OF_A_VECTOR : (int) Math.min(row, LONGEST_ROW);
    }

    interface Visitor {
        /// Called for each run of elements that changed.
        ///
        /// @param score the bits of a float that grows with the change
        /// @param length the number of elements of the run
        void visit(int score, int length, Selection selection, long number);
    }

    private static void forEach(List<TensorPair> tensors, List<Selection> selections, Visitor visitor) {
        for (int t = 0; t < selections.size(); t++) {
            Selection selection = selections.get(t);
            long element = 0;
            for (long number = 0; number < selection.runs(); number++) {
                int length = selection.lengthOf(number);
                double squares = 0;
                for (long end = element + length; element < end; element++) {
                    double delta = tensors.get(t).delta(element);
                    squares += delta * delta;
                }
                // The root keeps the squares of small changes from vanishing in a float. NaN counts as the largest.
                int score = Float.floatToIntBits((float) Math.sqrt(squares / length));
                if (score != 0) {
                    visitor.visit(score, length, selection, number);
                }
            }
        }
    }
}
