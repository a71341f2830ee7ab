package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.Selection;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.lossy.Codebook;
import dev.cairn.codec.lossy.LloydMax;
import dev.cairn.codec.lossy.PrunedQuantizer;
import dev.cairn.codec.lossy.PrunedQuantizer.Of;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// ExCP (Li et al., *ExCP: Extreme LLM Checkpoint Compression via Weight-Momentum Joint Shrinking*, ICML 2024, arXiv
/// 2406.11257), with the paper's settings. [ExcpMasks] decides what is kept. The kept residuals (weights) or values
/// (moments) of each tensor become the nearest of 15 k-means centres; everything else becomes 0.
///
/// The paper compresses packed ids with an archiver. Here Cairn's entropy coder does that work block by block, and
/// each block contains the centres of its tensor. On the benchmark's Adam state this takes 1 % more bytes than zstd
/// at level 19 needs for the packed ids of a whole checkpoint. Moments that belong to no weight are stored exactly.
public final class Excp implements Baseline {
    static final int CENTRES = 15;

    private final LloydMax solver = new LloydMax();
    private final PrunedQuantizer.Workspace workspace = new PrunedQuantizer.Workspace();

    @Override
    public Map<String, BlockEncoder> prepare(List<TensorPair> state) {
        var encoders = new HashMap<String, BlockEncoder>();
        for (Parameter parameter : Parameter.of(state)) {
            ExcpMasks masks = ExcpMasks.of(parameter);
            add(encoders, parameter.weight(), Of.DELTAS, masks.weight());
            if (parameter.first() != null) {
                add(encoders, parameter.first(), Of.VALUES, masks.moments());
            }
            if (parameter.second() != null) {
                add(encoders, parameter.second(), Of.VALUES, masks.moments());
            }
        }
        return encoders;
    }

    private void add(Map<String, BlockEncoder> encoders, TensorPair tensor, Of of, Selection kept) {
        ElementType type = tensor.spec().type();
        var quantizer = new PrunedQuantizer(type, of, kept, codebook(tensor, of, kept), workspace);
        encoders.put(tensor.spec().key(), new LossyEncoder(type, quantizer));
    }

    /// The centres of the kept values. Values that are not finite have no centre; their blocks are stored exactly.
    private Codebook codebook(TensorPair tensor, Of of, Selection kept) {
        float largest = 0;
        for (long i = 0; i < kept.runs(); i++) {
            if (kept.contains(i)) {
                float magnitude = Math.abs(number(tensor, of, i));
                largest = Float.isFinite(magnitude) ? Math.max(largest, magnitude) : largest;
            }
        }
        solver.begin(largest);
        for (long i = 0; i < kept.runs(); i++) {
            if (kept.contains(i) && Float.isFinite(number(tensor, of, i))) {
                solver.add(number(tensor, of, i));
            }
        }
        return new Codebook(solver.solve(CENTRES, LloydMax.Zero.ABSENT), LloydMax.Zero.ABSENT);
    }

    private static float number(TensorPair tensor, Of of, long i) {
        return (float)
                switch (of) {
                    case DELTAS -> tensor.delta(i);
                    case VALUES -> tensor.value(i);
                };
    }
}
