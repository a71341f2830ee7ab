package dev.cairn.tensorflow;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Score;
import dev.cairn.tensorflow.runtime.NativeTensors;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.tensorflow.internal.c_api.TF_Tensor;

/// Scores batches in the process of the chief, with the weights of the servers. They are read again after a change.
final class ServerScores implements AutoCloseable {
    private final LocalModel model;
    private final Supplier<List<TF_Tensor>> weights;
    private boolean changed = true;

    /// @param weights reads the weights; this object deletes them
    ServerScores(LocalModel model, Supplier<List<TF_Tensor>> weights) {
        this.model = model;
        this.weights = weights;
    }

    /// Notes that the weights have changed.
    void weightsChanged() {
        changed = true;
    }

    Score evaluate(Batch batch) {
        if (changed) {
            List<TF_Tensor> values = weights.get();
            try {
                model.set(values);
            } finally {
                values.forEach(NativeTensors::delete);
            }
            changed = false;
        }
        return model.evaluate(batch);
    }

    OptionalDouble deadUnits() {
        return model.deadUnits();
    }

    @Override
    public void close() {
        model.close();
    }
}
