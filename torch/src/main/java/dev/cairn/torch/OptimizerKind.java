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

/// What each of libtorch's optimizers keeps of a parameter, under the names of its archive.
enum OptimizerKind {
    /// SGD: a velocity, with momentum.
    SGD(false),
    /// Adam and AdamW: two means and, with AMSGrad, a maximum.
    ADAM(true),
    /// Adagrad: a sum of squares.
    ADAGRAD(true),
    /// RMSprop: a mean square; with momentum a velocity; a mean where it is centered.
    RMSPROP(true);

    private final boolean countsSteps;

    OptimizerKind(boolean countsSteps) {
        this.countsSteps = countsSteps;
    }

    /// A tensor of a parameter's shape.
    record Kept(String name, Role role) {}

    /// @throws IllegalArgumentException where it is none of those
    static OptimizerKind of(Optimizer optimizer) {
        return switch (optimizer) {
            case SGD _ -> SGD;
            case Adam _, AdamW _ -> ADAM;
            case Adagrad _ -> ADAGRAD;
            case RMSprop _ -> RMSPROP;
            default ->
                throw new IllegalArgumentException(
                        "the state of this optimizer is not known: class=%s; use SGD, Adam, AdamW, Adagrad or RMSprop, or give its tensors by name"
                                .formatted(optimizer.getClass().getSimpleName()));
        };
    }

    /// Whether it counts the steps of each parameter.
    boolean countsSteps() {
        return countsSteps;
    }

    /// What is kept of a parameter of this group, by its options.
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
