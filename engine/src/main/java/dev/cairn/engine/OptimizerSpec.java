package dev.cairn.engine;

import dev.cairn.store.UnknownNameException;
import java.util.List;

/// An optimizer with its hyperparameters, except the learning rate, which is part of each [Update].
///
/// @param weightDecay the L2 weight decay: the gradient grows by this fraction of the weight
/// @param clipNorm the maximum norm of all gradients together, to which they are scaled down; 0 for no maximum
public record OptimizerSpec(Rule rule, double weightDecay, double clipNorm) {
    /// The names that [#of] accepts.
    public static final List<String> NAMES = List.of("sgd", "momentum", "adam");

    public OptimizerSpec {
        check("weightDecay", weightDecay);
        check("clip", clipNorm);
    }

    private static void check(String setting, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new InvalidSettingException(setting, "must be 0 or more and finite, not " + value);
        }
    }

    /// The rule by which a gradient changes a weight.
    public sealed interface Rule {
        /// Plain stochastic gradient descent.
        record Sgd() implements Rule {}

        /// Heavy-ball momentum: `m = momentum·m + g; w = w − rate·m`.
        record Momentum(double momentum) implements Rule {}

        /// Adam with bias correction (Kingma and Ba, 2015).
        record Adam(double beta1, double beta2, double epsilon) implements Rule {}
    }

    /// Returns the optimizer with this name and its usual hyperparameters, without weight decay and clipping.
    ///
    /// @throws UnknownNameException if there is none; the message lists the known names
    public static OptimizerSpec of(String name) {
        return new OptimizerSpec(
                switch (name) {
                    case "sgd" -> new Rule.Sgd();
                    case "momentum" -> new Rule.Momentum(0.9);
                    case "adam" -> new Rule.Adam(0.9, 0.999, 1e-8);
                    default -> throw new UnknownNameException("optimizer", name, NAMES);
                },
                0,
                0);
    }

    public String name() {
        return switch (rule) {
            case Rule.Sgd _ -> "sgd";
            case Rule.Momentum _ -> "momentum";
            case Rule.Adam _ -> "adam";
        };
    }

    public OptimizerSpec withWeightDecay(double decay) {
        return new OptimizerSpec(rule, decay, clipNorm);
    }

    public OptimizerSpec withClipNorm(double norm) {
        return new OptimizerSpec(rule, weightDecay, norm);
    }
}
