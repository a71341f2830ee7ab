package dev.cairn.tensorflow;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Update;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/// Textbook optimizers in float64.
final class ReferenceOptimizer {
    private final OptimizerSpec spec;
    private final Map<String, double[]> first = new HashMap<>();
    private final Map<String, double[]> second = new HashMap<>();

    ReferenceOptimizer(OptimizerSpec spec) {
        this.spec = spec;
    }

    /// Scales all gradients by one factor if their norm exceeds the limit.
    void clip(Map<String, double[]> gradients) {
        double squares = 0;
        for (double[] gradient : gradients.values()) {
            for (double value : gradient) {
                squares += value * value;
            }
        }
        double scale = spec.clipNorm() == 0 ? 1 : Math.min(1, spec.clipNorm() / (Math.sqrt(squares) + 1e-6));
        for (double[] gradient : gradients.values()) {
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] *= scale;
            }
        }
    }

    /// @param changes the values that an update changes
    void update(String name, double[] weights, double[] gradients, Update update, IntPredicate changes) {
        double[] m = first.computeIfAbsent(name, _ -> new double[weights.length]);
        double[] v = second.computeIfAbsent(name, _ -> new double[weights.length]);
        for (int i = 0; i < weights.length; i++) {
            if (changes.test(i)) {
                double gradient = gradients[i] + spec.weightDecay() * weights[i];
                weights[i] -= change(gradient, m, v, i, update);
            }
        }
    }

    private double change(double gradient, double[] m, double[] v, int i, Update update) {
        return switch (spec.rule()) {
            case Rule.Sgd _ -> update.rate() * gradient;
            case Rule.Momentum(double momentum) -> {
                m[i] = momentum * m[i] + gradient;
                yield update.rate() * m[i];
            }
            case Rule.Adam(double beta1, double beta2, double epsilon) -> {
                m[i] = beta1 * m[i] + (1 - beta1) * gradient;
                v[i] = beta2 * v[i] + (1 - beta2) * gradient * gradient;
                double root = Math.sqrt(v[i]) / Math.sqrt(1 - Math.pow(beta2, (double) update.step()));
                yield update.rate() / (1 - Math.pow(beta1, (double) update.step())) * m[i] / (root + epsilon);
            }
        };
    }
}
