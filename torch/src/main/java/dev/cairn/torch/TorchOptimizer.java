package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/// SGD, momentum and Adam over named weights. Their state is ours, by name, because libtorch's own optimizers do not
/// show theirs; the arithmetic is that of `torch.optim`.
final class TorchOptimizer {
    private final OptimizerSpec spec;
    private final SequencedMap<String, Tensor> weights;
    private final Map<String, Tensor> first = new LinkedHashMap<>();
    private final Map<String, Tensor> second = new LinkedHashMap<>();

    TorchOptimizer(OptimizerSpec spec, SequencedMap<String, Tensor> weights) {
        this.spec = spec;
        this.weights = weights;
        weights.forEach((name, weight) -> {
            switch (spec) {
                case OptimizerSpec.Sgd _ -> {}
                case OptimizerSpec.Momentum _ -> first.put(name, torch.zeros_like(weight));
                case OptimizerSpec.Adam _ -> {
                    first.put(name, torch.zeros_like(weight));
                    second.put(name, torch.zeros_like(weight));
                }
            }
        });
    }

    /// Changes the weights by their gradients. The caller has switched gradient recording off.
    void update(long step) {
        switch (spec) {
            case OptimizerSpec.Sgd sgd -> {
                Scalar minusRate = new Scalar(-sgd.rate());
                weights.forEach((name, weight) -> weight.add_(weight.grad(), minusRate));
            }
            case OptimizerSpec.Momentum momentum -> {
                Scalar minusRate = new Scalar(-momentum.rate());
                Scalar decay = new Scalar(momentum.momentum());
                weights.forEach((name, weight) -> {
                    Tensor velocity = state(first, name);
                    velocity.mul_(decay).add_(weight.grad());
                    weight.add_(velocity, minusRate);
                });
            }
            case OptimizerSpec.Adam adam -> updateAdam(adam, step);
        }
    }

    private void updateAdam(OptimizerSpec.Adam adam, long step) {
        Scalar beta1 = new Scalar(adam.beta1());
        Scalar beta2 = new Scalar(adam.beta2());
        Scalar rest1 = new Scalar(1 - adam.beta1());
        Scalar rest2 = new Scalar(1 - adam.beta2());
        Scalar epsilon = new Scalar(adam.epsilon());
        Scalar correction2 = new Scalar(Math.sqrt(1 - StrictMath.pow(adam.beta2(), (double) step)));
        Scalar minusRate = new Scalar(-adam.rate() / (1 - StrictMath.pow(adam.beta1(), (double) step)));
        weights.forEach((name, weight) -> {
            Tensor gradient = weight.grad();
            Tensor mean = state(first, name);
            Tensor square = state(second, name);
            mean.mul_(beta1).add_(gradient, rest1);
            square.mul_(beta2).addcmul_(gradient, gradient, rest2);
            Tensor denominator = square.sqrt().div_(correction2).add_(epsilon);
            weight.addcdiv_(mean, denominator, minusRate);
        });
    }

    List<LiveTensor> tensors() {
        var tensors = new ArrayList<LiveTensor>();
        String prefix = spec.name();
        first.forEach((name, tensor) -> tensors.add(live(prefix + ".m/" + name, tensor, Role.FIRST_MOMENT)));
        second.forEach((name, tensor) -> tensors.add(live(prefix + ".v/" + name, tensor, Role.SECOND_MOMENT)));
        return tensors;
    }

    void close() {
        first.values().forEach(Tensor::close);
        second.values().forEach(Tensor::close);
    }

    private static LiveTensor live(String name, Tensor tensor, Role role) {
        return TorchMemory.live(name, tensor, ElementType.FLOAT32, role);
    }

    private static Tensor state(Map<String, Tensor> states, String name) {
        Tensor state = states.get(name);
        if (state == null) {
            throw new IllegalStateException("no optimizer state for " + name);
        }
        return state;
    }
}
