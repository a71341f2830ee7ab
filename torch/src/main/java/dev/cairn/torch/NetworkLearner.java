package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// A network with its optimizer on libtorch. Every step runs in its own `PointerScope`, so that native temporaries are
/// freed at once. Gradients accumulate in one block of memory, like the weights. So an update takes a few calls,
/// whatever the number of layers.
final class NetworkLearner implements LocalLearner {
    private final Network network;
    private final Weights weights;
    private final FlatTensors gradients;
    private final TorchOptimizer optimizer;
    private final UnitActivity activity = new UnitActivity();

    NetworkLearner(Model.Network model, OptimizerSpec optimizer, long seed) {
        this.weights = new Weights(model, optimizer, seed);
        this.gradients = new FlatTensors(model.parameters());
        this.network = new Network(model, weights.values());
        this.optimizer = new TorchOptimizer(optimizer);
        weights.values().byName().forEach((name, weight) -> {
            weight.set_requires_grad(true);
            weight.mutable_grad().put(gradients.get(name));
        });
    }

    @Override
    public float step(Batch batch, Update update, Runnable beforeUpdate) {
        Batch.Labelled examples = labelled(batch);
        try (PointerScope _ = new PointerScope()) {
            Tensor loss = torch.cross_entropy_loss(network.train(images(examples)), labels(examples));
            loss.backward();
            beforeUpdate.run();
            try (NoGradGuard _ = new NoGradGuard()) {
                Tensor gradient = gradients.all();
                if (optimizer.clips()) {
                    gradient.mul_(
                            new Scalar(optimizer.clipFactor(gradient.norm().item_float())));
                }
                optimizer.update(weights.values().all(), gradient, moments(), update);
                gradient.zero_();
            }
            return loss.item_float();
        }
    }

    private TorchOptimizer.Moments moments() {
        return new TorchOptimizer.Moments() {
            @Override
            public Tensor first() {
                return weights.first().all();
            }

            @Override
            public Tensor second() {
                return weights.second().all();
            }
        };
    }

    @Override
    public Score evaluate(Batch batch) {
        Batch.Labelled examples = labelled(batch);
        try (PointerScope _ = new PointerScope();
                NoGradGuard _ = new NoGradGuard()) {
            Tensor logits = network.evaluate(images(examples), activity);
            Tensor labels = labels(examples);
            double loss = torch.cross_entropy_loss(logits, labels).item_float();
            long correct =
                    logits.argmax(new LongOptional(1), false).eq(labels).sum().item_long();
            return new Score(loss * batch.size(), correct, batch.size());
        }
    }

    @Override
    public OptionalDouble deadUnits() {
        try (PointerScope _ = new PointerScope()) {
            return activity.takeDeadShare();
        }
    }

    @Override
    public List<LiveTensor> tensors() {
        return weights.live();
    }

    @Override
    public void tensorsRestored() {
        weights.restored();
    }

    @Override
    public void close() {
        activity.close();
        optimizer.close();
        gradients.close();
        weights.close();
    }

    private static Batch.Labelled labelled(Batch batch) {
        return switch (batch) {
            case Batch.Labelled labelled -> labelled;
            case Batch.Rated _ -> throw new IllegalArgumentException("a network learns from images, not from ratings");
        };
    }

    private static Tensor images(Batch.Labelled batch) {
        long pixels = batch.images().byteSize() / Float.BYTES / batch.capacity();
        return TorchMemory.view(batch.images(), ScalarType.Float, batch.size(), pixels);
    }

    private static Tensor labels(Batch.Labelled batch) {
        return TorchMemory.view(batch.labels(), ScalarType.Long, batch.size());
    }
}
