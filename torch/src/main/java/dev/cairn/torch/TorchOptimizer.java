package dev.cairn.torch;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Update;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/// The arithmetic of `torch.optim`'s SGD, momentum and Adam, over whole tensors. The caller has switched gradient
/// recording off.
final class TorchOptimizer {
    /// As in `clip_grad_norm_`.
    private static final double NORM_EPSILON = 1e-6;

    private final OptimizerSpec spec;

    TorchOptimizer(OptimizerSpec spec) {
        this.spec = spec;
    }

    boolean clips() {
        return spec.clipNorm() > 0;
    }

    /// What gradients of this norm are scaled by: 1 where they are short enough.
    double clipFactor(double norm) {
        return Math.min(1, spec.clipNorm() / (norm + NORM_EPSILON));
    }

    /// Changes the weights, and the moments that its rule keeps, by the gradients, which it may change too.
    void update(Tensor weights, Tensor gradients, Moments moments, Update update) {
        if (spec.weightDecay() > 0) {
            gradients.add_(weights, new Scalar(spec.weightDecay()));
        }
        switch (spec.rule()) {
            case Rule.Sgd _ -> weights.add_(gradients, new Scalar(-update.rate()));
            case Rule.Momentum(double momentum) -> {
                Tensor velocity = moments.first();
                velocity.mul_(new Scalar(momentum)).add_(gradients);
                weights.add_(velocity, new Scalar(-update.rate()));
            }
            case Rule.Adam adam -> updateByAdam(adam, weights, gradients, moments, update);
        }
    }

    private static void updateByAdam(Rule.Adam adam, Tensor weights, Tensor gradients, Moments moments, Update update) {
        double step = update.step();
        double correction1 = 1 - StrictMath.pow(adam.beta1(), step);
        double correction2 = Math.sqrt(1 - StrictMath.pow(adam.beta2(), step));
        Tensor mean = moments.first();
        Tensor square = moments.second();
        mean.mul_(new Scalar(adam.beta1())).add_(gradients, new Scalar(1 - adam.beta1()));
        square.mul_(new Scalar(adam.beta2())).addcmul_(gradients, gradients, new Scalar(1 - adam.beta2()));
        Tensor denominator = square.sqrt().div_(new Scalar(correction2)).add_(new Scalar(adam.epsilon()));
        weights.addcdiv_(mean, denominator, new Scalar(-update.rate() / correction1));
    }

    /// Where the rule finds what it keeps of each weight.
    interface Moments {
        Tensor first();

        Tensor second();
    }
}
