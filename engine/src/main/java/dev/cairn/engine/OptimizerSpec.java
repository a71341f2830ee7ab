package dev.cairn.engine;

import java.util.List;

/// Which optimizer, with all of its hyperparameters but the learning rate, which each [Update] has.
///
/// @param weightDecay of L2: the gradient is larger by so much of the weight
/// @param clipNorm gradients are scaled down to this norm, over all of them together; 0 where they are not
public record OptimizerSpec(Rule rule, double weightDecay, double clipNorm) {
    /// What [#of] knows.
    public static final List<String> NAMES = List.of("sgd", "momentum", "adam");

    public OptimizerSpec {
        if (!(weightDecay >= 0) || !(clipNorm >= 0) || Double.isInfinite(weightDecay) || Double.isInfinite(clipNorm)) {
            throw new IllegalArgumentException(
                    "--weight-decay and --clip must be 0 or more, not %s and %s".formatted(weightDecay, clipNorm));
        }
    }

    /// How a gradient changes a weight.
    public sealed interface Rule {
        /// Plain stochastic gradient descent.
        record Sgd() implements Rule {}

        /// Heavy-ball momentum: `m = momentum·m + g; w = w − rate·m`.
        record Momentum(double momentum) implements Rule {}

        /// Adam with bias correction (Kingma and Ba, 2015).
        record Adam(double beta1, double beta2, double epsilon) implements Rule {}
    }

    /// The optimizer of this name with its usual hyperparameters, without decay and clipping.
    public static OptimizerSpec of(String name) {
        return new OptimizerSpec(
                switch (name) {
                    case "sgd" -> new Rule.Sgd();
                    case "momentum" -> new Rule.Momentum(0.9);
                    case "adam" -> new Rule.Adam(0.9, 0.999, 1e-8);
                    default ->
                        throw new IllegalArgumentException(
                                "unknown optimizer '%s'; known: %s".formatted(name, String.join(", ", NAMES)));
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
