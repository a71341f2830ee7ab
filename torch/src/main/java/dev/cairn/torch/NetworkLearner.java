package dev.cairn.torch;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.GroupLearner;
import dev.cairn.engine.Layer;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GradientExchange;
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
final class NetworkLearner implements GroupLearner {
    private final Network network;
    private final Weights weights;
    private final FlatTensors gradients;
    private final TorchOptimizer optimizer;
    private final GroupGenerator generator;
    private final UnitActivity activity = new UnitActivity();

    NetworkLearner(Model.Network model, OptimizerSpec optimizer, long seed) {
        this.weights = new Weights(model, optimizer, seed);
        this.gradients = new FlatTensors(model.parameters(), GradientExchange.OWN_FLOATS);
        this.network = new Network(model, weights.values());
        this.optimizer = new TorchOptimizer(optimizer);
        this.generator =
                new GroupGenerator(seed, model.layers().stream().anyMatch(layer -> layer instanceof Layer.Dropout));
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
                update(update);
            }
            return loss.item_float();
        }
    }

    @Override
    public float step(GroupBatch mine, Update update, GradientExchange exchange, Runnable beforeUpdate) {
        try (PointerScope _ = new PointerScope()) {
            Runnable undo = generator.beginShare(update.step(), mine.rank());
            float loss = sum(exchange, lossOfShare(mine.examples()), undo);
            generator.endStep(update.step());
            beforeUpdate.run();
            try (NoGradGuard _ = new NoGradGuard()) {
                gradients.all().mul_(new Scalar(1.0 / mine.whole()));
                update(update);
            }
            return loss / mine.whole();
        }
    }

    /// Leaves the gradient of the summed loss of these examples in the gradients.
    private float lossOfShare(Batch batch) {
        Batch.Labelled examples = labelled(batch);
        if (batch.size() == 0) {
            return 0;
        }
        Tensor loss = torch.cross_entropy_loss(network.train(images(examples)), labels(examples))
                .mul(new Scalar((float) batch.size()));
        loss.backward();
        return loss.item_float();
    }

    private float sum(GradientExchange exchange, float loss, Runnable undo) {
        try {
            return exchange.sum(TorchMemory.of(gradients.block()), loss);
        } catch (BrokenGroupException e) {
            // The step will be made again, and backward passes add to what is there.
            try (NoGradGuard _ = new NoGradGuard()) {
                gradients.block().zero_();
            }
            undo.run();
            throw e;
        }
    }

    private void update(Update update) {
        Tensor gradient = gradients.all();
        if (optimizer.clips()) {
            gradient.mul_(new Scalar(optimizer.clipFactor(gradient.norm().item_float())));
        }
        optimizer.update(weights.values().all(), gradient, moments(), update);
        gradient.zero_();
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
