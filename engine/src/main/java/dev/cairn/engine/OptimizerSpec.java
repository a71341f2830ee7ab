package dev.cairn.engine;

/// Which optimizer, with its hyperparameters.
public sealed interface OptimizerSpec {
    String name();

    double rate();

    /// Plain stochastic gradient descent.
    record Sgd(double rate) implements OptimizerSpec {
        @Override
        public String name() {
            return "sgd";
        }
    }

    /// Heavy-ball momentum: `m = momentum·m + g; w = w − rate·m`.
    record Momentum(double rate, double momentum) implements OptimizerSpec {
        @Override
        public String name() {
            return "momentum";
        }
    }

    /// Adam with bias correction (Kingma and Ba, 2015).
    record Adam(double rate, double beta1, double beta2, double epsilon) implements OptimizerSpec {
        @Override
        public String name() {
            return "adam";
        }
    }

    /// The optimizer of this name with its usual hyperparameters and this rate.
    static OptimizerSpec of(String name, double rate) {
        return switch (name) {
            case "sgd" -> new Sgd(rate);
            case "momentum" -> new Momentum(rate, 0.9);
            case "adam" -> new Adam(rate, 0.9, 0.999, 1e-8);
            default ->
                throw new IllegalArgumentException("unknown optimizer '" + name + "'; known: sgd, momentum, adam");
        };
    }

    /// A rate that trains LeNet-5 well.
    static double usualRate(String name) {
        return switch (name) {
            case "sgd" -> 0.1;
            case "momentum" -> 0.02;
            default -> 1e-3;
        };
    }
}
