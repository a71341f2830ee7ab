package dev.cairn.tensorflow;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_INT64;

import dev.cairn.engine.Batch;
import dev.cairn.engine.Model;
import dev.cairn.tensorflow.runtime.NativeTensors;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.tensorflow.internal.c_api.TF_Tensor;

/// The parts of a batch as tensors over the memory of the batch, in the order of [ModelGraph#batch].
final class BatchTensors {
    private BatchTensors() {}

    static List<TF_Tensor> of(Model model, Batch batch) {
        if (model instanceof Model.Network network && batch instanceof Batch.Labelled labelled) {
            long side = network.side();
            long pixels = network.channels() * side * side;
            return List.of(
                    NativeTensors.view(
                            labelled.images().asSlice(0, labelled.size() * pixels * Float.BYTES),
                            TF_FLOAT,
                            labelled.size(),
                            network.channels(),
                            side,
                            side),
                    longs(labelled.labels(), labelled.size()));
        }
        if (model instanceof Model.Factorization && batch instanceof Batch.Rated rated) {
            return List.of(
                    longs(rated.users(), rated.size()),
                    longs(rated.items(), rated.size()),
                    NativeTensors.view(
                            rated.ratings().asSlice(0, (long) rated.size() * Float.BYTES), TF_FLOAT, rated.size()));
        }
        throw new IllegalArgumentException("a %s cannot learn from a batch of %s"
                .formatted(model.getClass().getSimpleName(), batch.getClass().getSimpleName()));
    }

    private static TF_Tensor longs(MemorySegment memory, int count) {
        return NativeTensors.view(memory.asSlice(0, (long) count * Long.BYTES), TF_INT64, count);
    }
}
