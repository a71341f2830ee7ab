package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.Batch;
import dev.cairn.engine.Learner;
import dev.cairn.engine.Model;
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
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// A network with its optimizer on libtorch. Every step runs in a `PointerScope` of its own, so that native
/// temporaries go at once.
final class TorchLearner implements Learner {
    private final SequencedMap<String, Tensor> weights = new LinkedHashMap<>();
    private final Network network;
    private final TorchOptimizer optimizer;
    private final Tensor generatorState;

    TorchLearner(Model model, OptimizerSpec optimizer, long seed) {
        for (Parameter parameter : model.parameters()) {
            Tensor weight = TorchMemory.floats(parameter.initialValues(seed), parameter.shape());
            weight.set_requires_grad(true);
            weights.put(parameter.name(), weight);
        }
        this.network = new Network(model, weights);
        try (NoGradGuard _ = new NoGradGuard()) {
            this.optimizer = new TorchOptimizer(optimizer, weights);
            this.generatorState = torch.getDefaultCPUGenerator().get_state().clone();
        }
    }

    @Override
    public float step(Batch batch, long step, Runnable beforeUpdate) {
        try (PointerScope _ = new PointerScope()) {
            Tensor loss = torch.cross_entropy_loss(forward(batch), labels(batch));
            loss.backward();
            beforeUpdate.run();
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
        long pixels = batch.images().byteSize() / Float.BYTES / batch.capacity();
        return network.forward(TorchMemory.view(batch.images(), ScalarType.Float, batch.size(), pixels));
    }

    private static Tensor labels(Batch batch) {
        return TorchMemory.view(batch.labels(), ScalarType.Long, batch.size());
    }
}
