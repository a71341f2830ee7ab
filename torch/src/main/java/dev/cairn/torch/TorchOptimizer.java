package dev.cairn.torch;

import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.OptimizerSpec.Rule;
import dev.cairn.engine.Update;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/// The arithmetic of SGD, momentum and Adam as in `torch.optim`, over whole tensors. The caller must have disabled
/// gradient recording.
final class TorchOptimizer implements AutoCloseable {
    /// As in `clip_grad_norm_`.
    private static final double NORM_EPSILON = 1e-6;

    private final OptimizerSpec spec;
    private final KeptScalar rate = new KeptScalar();
    private final KeptScalar decay = new KeptScalar();
    private final KeptScalar first = new KeptScalar();
    private final KeptScalar firstRest = new KeptScalar();
    private final KeptScalar second = new KeptScalar();
    private final KeptScalar secondRest = new KeptScalar();
    private final KeptScalar correction = new KeptScalar();
    private final KeptScalar epsilon = new KeptScalar();

    TorchOptimizer(OptimizerSpec spec) {
        this.spec = spec;
    }

    boolean clips() {
        return spec.clipNorm() > 0;
    }

    /// The factor that scales gradients of this norm; 1 if the norm is within the limit.
    double clipFactor(double norm) {
        return Math.min(1, spec.clipNorm() / (norm + NORM_EPSILON));
    }

    /// Updates the weights and their moments from the gradients. It overwrites the gradients.
    void update(Tensor weights, Tensor gradients, Moments moments, Update update) {
        if (spec.weightDecay() > 0) {
            gradients.add_(weights, decay.of(spec.weightDecay()));
        }
        switch (spec.rule()) {
            case Rule.Sgd _ -> weights.add_(gradients, rate.of(-update.rate()));
            case Rule.Momentum(double momentum) -> {
                Tensor velocity = moments.first();
                velocity.mul_(first.of(momentum)).add_(gradients);
                weights.add_(velocity, rate.of(-update.rate()));
            }
            case Rule.Adam adam -> updateByAdam(adam, weights, gradients, moments, update);
        }
    }

    private void updateByAdam(Rule.Adam adam, Tensor weights, Tensor gradients, Moments moments, Update update) {
        double step = update.step();
        double correction1 = 1 - StrictMath.pow(adam.beta1(), step);
        double correction2 = Math.sqrt(1 - StrictMath.pow(adam.beta2(), step));
        Tensor mean = moments.first();
        Tensor square = moments.second();
        mean.mul_(first.of(adam.beta1())).add_(gradients, firstRest.of(1 - adam.beta1()));
        square.mul_(second.of(adam.beta2())).addcmul_(gradients, gradients, secondRest.of(1 - adam.beta2()));
        // In the memory of the gradients, which are no longer needed: new memory as large as the weights would be
        // fetched from the system, and cleared, at every step.
        Tensor denominator = torch.sqrt_out(gradients, square)
                .div_(correction.of(correction2))
                .add_(epsilon.of(adam.epsilon()));
        weights.addcdiv_(mean, denominator, rate.of(-update.rate() / correction1));
    }

    @Override
    public void close() {
        for (KeptScalar number :
                new KeptScalar[] {rate, decay, first, firstRest, second, secondRest, correction, epsilon}) {
            number.close();
        }
    }

    /// A number as a libtorch scalar. It is created again only if the number changes, because most numbers are
    /// the same at every step.
    private static final class KeptScalar implements AutoCloseable {
        private double value;
        private @Nullable Scalar scalar;

        Scalar of(double wanted) {
            if (scalar == null || wanted != value) {
                close();
                value = wanted;
                // The scalar outlives the scope of the step that creates it.
                scalar = new Scalar(wanted).retainReference();
            }
            return scalar;
        }

        @Override
        public void close() {
            if (scalar != null) {
                scalar.releaseReference();
                scalar = null;
            }
        }
    }

    /// Access to the moments that a rule keeps for each weight.
    interface Moments {
        Tensor first();

        Tensor second();
    }
}
