package dev.cairn.torch;

import dev.cairn.store.Role;
import dev.cairn.torch.OptimizerArchive.Group;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Adagrad;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.RMSprop;
import org.bytedeco.pytorch.SGD;

/// The state that each of libtorch's optimizers keeps for a parameter, under the names in its archive.
enum OptimizerKind {
    /// SGD: a velocity, with momentum.
    SGD(false),
    /// Adam and AdamW: two means and, with AMSGrad, a maximum.
    ADAM(true),
    /// Adagrad: a sum of squares.
    ADAGRAD(true),
    /// RMSprop: a mean square; with momentum a velocity; a mean if it is centered.
    RMSPROP(true);

    private final boolean countsSteps;

    OptimizerKind(boolean countsSteps) {
        this.countsSteps = countsSteps;
    }

    /// A tensor with the shape of its parameter.
    record Kept(String name, Role role) {}

    /// @throws IllegalArgumentException if the optimizer is of another kind
    static OptimizerKind of(Optimizer optimizer) {
        return switch (optimizer) {
            case SGD _ -> SGD;
            case Adam _, AdamW _ -> ADAM;
            case Adagrad _ -> ADAGRAD;
            case RMSprop _ -> RMSPROP;
            default ->
                throw new IllegalArgumentException(
                        "the state of this optimizer is unknown: class=%s; use SGD, Adam, AdamW, Adagrad or RMSprop, or pass its tensors by name"
                                .formatted(optimizer.getClass().getSimpleName()));
        };
    }

    /// Whether the optimizer counts the steps of each parameter.
    boolean countsSteps() {
        return countsSteps;
    }

    /// The tensors that are kept for a parameter of this group, according to the options of the group.
    List<Kept> kept(Group group) {
        var kept = new ArrayList<Kept>();
        switch (this) {
            case SGD -> {
                if (group.number("momentum") != 0) {
                    kept.add(new Kept("momentum_buffer", Role.FIRST_MOMENT));
                }
            }
            case ADAM -> {
                kept.add(new Kept("exp_avg", Role.FIRST_MOMENT));
                kept.add(new Kept("exp_avg_sq", Role.SECOND_MOMENT));
                if (group.flag("amsgrad")) {
                    kept.add(new Kept("max_exp_avg_sq", Role.SECOND_MOMENT));
                }
            }
            case ADAGRAD -> kept.add(new Kept("sum", Role.SECOND_MOMENT));
            case RMSPROP -> {
                kept.add(new Kept("square_avg", Role.SECOND_MOMENT));
                if (group.number("momentum") > 0) {
                    kept.add(new Kept("momentum_buffer", Role.FIRST_MOMENT));
                }
                if (group.flag("centered")) {
                    kept.add(new Kept("grad_avg", Role.FIRST_MOMENT));
                }
            }
        }
        return kept;
    }
}
