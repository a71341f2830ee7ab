package dev.cairn.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/// Records which units of ReLUs were ever active. A unit is a channel of a convolution or an output of a linear layer.
final class UnitActivity implements AutoCloseable {
    /// For each ReLU in order, one flag per unit.
    private final List<Tensor> active = new ArrayList<>();

    /// @param relu number of the ReLU, from 0, in order
    /// @param values examples × units, or examples × channels × height × width
    void saw(int relu, Tensor values) {
        Tensor now = values.gt(new Scalar(0)).transpose(0, 1).flatten(1, -1).any(1);
        if (relu < active.size()) {
            active.get(relu).logical_or_(now);
        } else {
            now.retainReference();
            active.add(now);
        }
    }

    /// The share of units that were never active; empty if no unit was seen. Resets the record.
    OptionalDouble takeDeadShare() {
        long units = 0;
        long alive = 0;
        for (Tensor flags : active) {
            units += flags.numel();
            alive += flags.sum().item_long();
        }
        close();
        return units == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) (units - alive) / units);
    }

    @Override
    public void close() {
        active.forEach(Tensor::releaseReference);
        active.clear();
    }
}
