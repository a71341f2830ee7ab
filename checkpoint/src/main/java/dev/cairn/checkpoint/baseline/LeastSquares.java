package dev.cairn.checkpoint.baseline;

import dev.cairn.codec.ElementType;
import dev.cairn.codec.block.BlockEncoder;
import dev.cairn.codec.block.LossyEncoder;
import dev.cairn.codec.lossy.LeastSquaresQuantizer;
import dev.cairn.codec.lossy.LeastSquaresQuantizer.Range;
import dev.cairn.store.Role;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// l2: deltas of weights and optimizer state, quantized to the values of least squared error, see
/// [LeastSquaresQuantizer]. A second moment never becomes negative, because its root would end the training. Second
/// moments of types other than float32 are exact.
public final class LeastSquares implements Baseline {
    private final int bits;
    private final Map<ElementType, BlockEncoder> encoders = new EnumMap<>(ElementType.class);
    private final BlockEncoder secondMoments;

    /// Uses as many values as LC-Checkpoint has with this many bits.
    public LeastSquares(int bits) {
        this.bits = bits;
        this.secondMoments = encoder(ElementType.FLOAT32, Range.NOT_NEGATIVE);
    }

    @Override
    public Map<String, BlockEncoder> prepare(List<TensorPair> state) {
        var prepared = new HashMap<String, BlockEncoder>();
        for (TensorPair tensor : state) {
            ElementType type = tensor.spec().type();
            if (tensor.spec().role() != Role.SECOND_MOMENT) {
                prepared.put(tensor.spec().key(), encoders.computeIfAbsent(type, _ -> encoder(type, Range.ANY)));
            } else if (type == ElementType.FLOAT32) {
                prepared.put(tensor.spec().key(), secondMoments);
            }
        }
        return prepared;
    }

    private BlockEncoder encoder(ElementType type, Range range) {
        return new LossyEncoder(type, new LeastSquaresQuantizer(type, bits, range));
    }
}
