package dev.cairn.tensorflow.runtime;

import java.util.Set;
import org.tensorflow.internal.c_api.global.tensorflow;

/// A call of TensorFlow failed.
public final class TensorFlowException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /// What a run over the network ends with if the other process is gone, or the queue that it waits for was
    /// closed.
    private static final Set<Integer> GONE = Set.of(
            tensorflow.TF_UNAVAILABLE,
            tensorflow.TF_CANCELLED,
            tensorflow.TF_ABORTED,
            tensorflow.TF_OUT_OF_RANGE,
            tensorflow.TF_DEADLINE_EXCEEDED);

    private final int code;

    TensorFlowException(int code, String message) {
        super("tensorflow: " + message);
        this.code = code;
    }

    /// Whether another process is gone, or has ended what this one was waiting for.
    public boolean isOfAnotherProcess() {
        return GONE.contains(code);
    }
}
