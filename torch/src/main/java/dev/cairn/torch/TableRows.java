package dev.cairn.torch;

import dev.cairn.engine.Update;
import org.bytedeco.pytorch.Tensor;

/// Copies of the rows of one table that a batch names. Only these rows get a gradient. After the update they are
/// written back with their moments (as in `torch.optim.SparseAdam`).
final class TableRows {
    private final String table;
    private final Weights weights;
    private final BatchRows batch;
    private final Tensor values;

    private TableRows(String table, Weights weights, BatchRows batch, Tensor values) {
        this.table = table;
        this.weights = weights;
        this.batch = batch;
        this.values = values;
    }

    static TableRows of(String table, Weights weights, BatchRows batch) {
        Tensor values = weights.values().get(table).index_select(0, batch.rows());
        values.set_requires_grad(true);
        return new TableRows(table, weights, batch, values);
    }

    /// One row for each example.
    Tensor examples() {
        return values.index_select(0, batch.places());
    }

    /// The gradient after the backward pass. A row that several examples name has the sum of their gradients.
    Tensor gradient() {
        return values.grad();
    }

    void update(TorchOptimizer optimizer, Update update) {
        var moments = new RowMoments();
        Tensor changed = values.detach();
        optimizer.update(changed, gradient(), moments, update);
        weights.values().get(table).index_copy_(0, batch.rows(), changed);
        moments.store();
    }

    /// The moments of the rows, loaded when the optimizer asks for them.
    private final class RowMoments implements TorchOptimizer.Moments {
        private final Tensor[] loaded = new Tensor[2];

        @Override
        public Tensor first() {
            return load(0, weights.first());
        }

        @Override
        public Tensor second() {
            return load(1, weights.second());
        }

        private Tensor load(int which, FlatTensors moments) {
            Tensor rows = moments.get(table).index_select(0, batch.rows());
            loaded[which] = rows;
            return rows;
        }

        void store() {
            if (loaded[0] != null) {
                weights.first().get(table).index_copy_(0, batch.rows(), loaded[0]);
            }
            if (loaded[1] != null) {
                weights.second().get(table).index_copy_(0, batch.rows(), loaded[1]);
            }
        }
    }
}
