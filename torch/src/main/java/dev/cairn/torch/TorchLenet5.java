package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Lenet5;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Parameter;
import dev.cairn.engine.Score;
import dev.cairn.store.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// LeNet-5 on libtorch. Every step runs in a `PointerScope` of its own, so that native temporaries go at once.
final class TorchLenet5 implements Learner {
    private static final long[] ONE = {1, 1};
    private static final long[] NONE = {0, 0};
    private static final long[] TWO = {2, 2};

    private final SequencedMap<String, Tensor> weights = new LinkedHashMap<>();
    private final TorchOptimizer optimizer;
    private final Tensor generatorState;

    TorchLenet5(OptimizerSpec optimizer, long seed) {
        for (Parameter parameter : Lenet5.PARAMETERS) {
            Tensor weight = TorchMemory.floats(parameter.initialValues(seed), parameter.shape());
            weight.set_requires_grad(true);
            weights.put(parameter.name(), weight);
        }
        try (NoGradGuard _ = new NoGradGuard()) {
            this.optimizer = new TorchOptimizer(optimizer, weights);
            this.generatorState = torch.getDefaultCPUGenerator().get_state().clone();
        }
    }

    @Override
    public float step(Batch batch, long step) {
        try (PointerScope _ = new PointerScope()) {
            Tensor loss = torch.cross_entropy_loss(forward(batch), labels(batch));
            loss.backward();
            try (NoGradGuard _ = new NoGradGuard()) {
                optimizer.update(step);
                weights.values().forEach(weight -> weight.mutable_grad().zero_());
            }
            return loss.item_float();
        }
    }

    @Override
    public Score evaluate(Batch batch) {
        try (PointerScope _ = new PointerScope();
                NoGradGuard _ = new NoGradGuard()) {
            Tensor logits = forward(batch);
            Tensor labels = labels(batch);
            double loss = torch.cross_entropy_loss(logits, labels).item_float();
            long correct = logits.argmax(new org.bytedeco.pytorch.LongOptional(1), false)
                    .eq(labels)
                    .sum()
                    .item_long();
            return new Score(loss * batch.size(), correct, batch.size());
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        try (PointerScope _ = new PointerScope()) {
            generatorState.copy_(torch.getDefaultCPUGenerator().get_state());
        }
        var tensors = new ArrayList<LiveTensor>();
        weights.forEach(
                (name, weight) -> tensors.add(TorchMemory.live(name, weight, ElementType.FLOAT32, Role.WEIGHT)));
        tensors.addAll(optimizer.tensors());
        tensors.add(TorchMemory.live("torch.generator", generatorState, ElementType.UINT8, Role.RNG));
        return tensors;
    }

    @Override
    public void tensorsRestored() {
        try (PointerScope _ = new PointerScope()) {
            torch.getDefaultCPUGenerator().set_state(generatorState);
        }
    }

    @Override
    public void close() {
        optimizer.close();
        weights.values().forEach(Tensor::close);
        generatorState.close();
    }

    private Tensor forward(Batch batch) {
        Tensor images = TorchMemory.view(batch.images(), ScalarType.Float, batch.size(), 1, Lenet5.SIDE, Lenet5.SIDE);
        Tensor features = pool(torch.relu(convolution(images, "conv1", TWO)));
        features = pool(torch.relu(convolution(features, "conv2", NONE)));
        Tensor hidden = torch.relu(linear(features.view(batch.size(), -1), "fc1"));
        hidden = torch.relu(linear(hidden, "fc2"));
        return linear(hidden, "fc3");
    }

    private static Tensor labels(Batch batch) {
        return TorchMemory.view(batch.labels(), ScalarType.Long, batch.size());
    }

    private Tensor convolution(Tensor input, String layer, long[] padding) {
        return torch.conv2d(
                input, weight(layer + ".weight"), new TensorOptional(weight(layer + ".bias")), ONE, padding, ONE, 1);
    }

    private Tensor linear(Tensor input, String layer) {
        return torch.linear(input, weight(layer + ".weight"), new TensorOptional(weight(layer + ".bias")));
    }

    private static Tensor pool(Tensor input) {
        return torch.avg_pool2d(input, TWO);
    }

    private Tensor weight(String name) {
        Tensor weight = weights.get(name);
        if (weight == null) {
            throw new IllegalStateException("no weight " + name);
        }
        return weight;
    }
}
