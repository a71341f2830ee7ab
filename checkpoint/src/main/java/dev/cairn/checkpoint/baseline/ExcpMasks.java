package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.Selection;

/// The elements that ExCP keeps of a parameter w with the residual δ = w − r and the moments m, v.
///
/// The residual of a weight is kept if `|δ| > α / √v · median|w|`: a small v indicates a weight that hardly matters.
/// The moments are kept if the residual is kept and `|m| > β · mean|m|`. Without v, as with momentum, v counts as 1.
/// Without m, the moments are kept if the residual is kept.
///
/// @param weight the kept elements of the weight
/// @param moments the kept elements of both moments
record ExcpMasks(Selection weight, Selection moments) {
    private static final double ALPHA = 5e-5;
    private static final double BETA = 2;

    static ExcpMasks of(Parameter parameter) {
        TensorPair weight = parameter.weight();
        TensorPair first = parameter.first();
        TensorPair second = parameter.second();
        double weightBorder = ALPHA * Median.ofMagnitudes(weight);
        double momentBorder = first == null ? 0 : BETA * meanMagnitude(first);
        var masks = new ExcpMasks(new Selection(1, weight.elements()), new Selection(1, weight.elements()));
        for (long i = 0; i < weight.elements(); i++) {
            double root = second == null ? 1 : Math.sqrt(second.value(i));
            if (Math.abs(weight.delta(i)) * root > weightBorder) {
                masks.weight.add(i);
                if (first == null || Math.abs(first.value(i)) > momentBorder) {
                    masks.moments.add(i);
                }
            }
        }
        return masks;
    }

    private static double meanMagnitude(TensorPair tensor) {
        double sum = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            sum += Math.abs(tensor.value(i));
        }
        return sum / tensor.elements();
    }
}
