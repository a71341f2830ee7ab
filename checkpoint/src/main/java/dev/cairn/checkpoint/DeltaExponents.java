package dev.cairn.checkpoint;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// How large the changes of the weights are from one checkpoint to the next: an estimate, from a sample of the weights.
/// Lossy codecs spend their bits on the exponents that matter.
///
/// @param counts the number of weights whose change has this binary exponent: for 0.75, which is 1.5 · 2⁻¹, it is −1
/// @param unchanged the number of weights that did not change
public record DeltaExponents(SortedMap<Integer, Double> counts, double unchanged) {
    public DeltaExponents {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
