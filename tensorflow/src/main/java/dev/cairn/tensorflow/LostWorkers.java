package dev.cairn.tensorflow;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.tensorflow.runtime.TensorFlowException;
import java.util.function.Supplier;

/// What TensorFlow reports when another process is gone, as the group that broke.
final class LostWorkers {
    private LostWorkers() {}

    /// @throws BrokenGroupException if the call failed because of another process
    static <T> T reaching(Supplier<T> call) {
        try {
            return call.get();
        } catch (TensorFlowException e) {
            if (e.isOfAnotherProcess()) {
                throw new BrokenGroupException("a worker is gone", e);
            }
            throw e;
        }
    }
}
