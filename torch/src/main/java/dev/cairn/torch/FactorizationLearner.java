package dev.cairn.torch;

import static dev.cairn.engine.Model.Factorization.ITEM_BIAS;
import static dev.cairn.engine.Model.Factorization.ITEM_FACTORS;
import static dev.cairn.engine.Model.Factorization.USER_BIAS;
import static dev.cairn.engine.Model.Factorization.USER_FACTORS;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.engine.Batch;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalDouble;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/// Matrix factorization on libtorch. A step reads and changes only the rows of its batch, never the whole tables.
final class FactorizationLearner implements LocalLearner {
    private final Scalar mean;
    private final Weights weights;
    private final TorchOptimizer optimizer;

    FactorizationLearner(Model.Factorization model, OptimizerSpec optimizer, long seed) {
        this.mean = new Scalar(model.mean());
        this.weights = new Weights(model, optimizer, seed);
        this.optimizer = new TorchOptimizer(optimizer);
    }

    @Override
    public float step(Batch batch, Update update, Runnable beforeUpdate) {
        Batch.Rated examples = rated(batch);
        try (PointerScope _ = new PointerScope()) {
            BatchRows users = BatchRows.of(ids(examples.users(), batch.size()));
            BatchRows items = BatchRows.of(ids(examples.items(), batch.size()));
            List<TableRows> rows = List.of(
                    TableRows.of(USER_FACTORS, weights, users),
                    TableRows.of(ITEM_FACTORS, weights, items),
                    TableRows.of(USER_BIAS, weights, users),
                    TableRows.of(ITEM_BIAS, weights, items));
            Tensor predicted = predict(
                    rows.get(0).examples(),
                    rows.get(1).examples(),
                    rows.get(2).examples(),
                    rows.get(3).examples());
            Tensor loss = torch.mse_loss(predicted, ratings(examples));
            loss.backward();
            beforeUpdate.run();
            try (NoGradGuard _ = new NoGradGuard()) {
                if (optimizer.clips()) {
                    double squares = 0;
                    for (TableRows table : rows) {
                        double norm = table.gradient().norm().item_float();
                        squares += norm * norm;
                    }
                    Scalar factor = new Scalar(optimizer.clipFactor(Math.sqrt(squares)));
                    rows.forEach(table -> table.gradient().mul_(factor));
                }
                rows.forEach(table -> table.update(optimizer, update));
            }
            return loss.item_float();
        }
    }

    @Override
    public Score evaluate(Batch batch) {
        Batch.Rated examples = rated(batch);
        try (PointerScope _ = new PointerScope();
                NoGradGuard _ = new NoGradGuard()) {
            Tensor users = ids(examples.users(), batch.size());
            Tensor items = ids(examples.items(), batch.size());
            Tensor predicted = predict(
                    weights.values().get(USER_FACTORS).index_select(0, users),
                    weights.values().get(ITEM_FACTORS).index_select(0, items),
                    weights.values().get(USER_BIAS).index_select(0, users),
                    weights.values().get(ITEM_BIAS).index_select(0, items));
            double loss = torch.mse_loss(predicted, ratings(examples)).item_float();
            return new Score(loss * batch.size(), 0, batch.size());
        }
    }

    private Tensor predict(Tensor userFactors, Tensor itemFactors, Tensor userBias, Tensor itemBias) {
        return userFactors.mul(itemFactors).sum(1).add(userBias).add(itemBias).add(mean);
    }

    @Override
    public OptionalDouble deadUnits() {
        return OptionalDouble.empty();
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
        optimizer.close();
        weights.close();
        mean.close();
    }

    private static Batch.Rated rated(Batch batch) {
        return switch (batch) {
            case Batch.Rated rated -> rated;
            case Batch.Labelled _ ->
                throw new IllegalArgumentException("a factorization learns from ratings, not from images");
        };
    }

    private static Tensor ids(MemorySegment memory, int size) {
        return TorchMemory.view(memory, ScalarType.Long, size);
    }

    private static Tensor ratings(Batch.Rated batch) {
        return TorchMemory.view(batch.ratings(), ScalarType.Float, batch.size());
    }
}
