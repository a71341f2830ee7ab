package dev.cairn.tensorflow.runtime;

import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/// What the C interface says of the last call, as an exception where that failed.
final class Status implements AutoCloseable {
    private final TF_Status status = tensorflow.TF_NewStatus();

    TF_Status pointer() {
        return status;
    }

    /// @throws IllegalStateException where the last call that was given this status failed
    void check() {
        if (tensorflow.TF_GetCode(status) == tensorflow.TF_OK) {
            return;
        }
        BytePointer message = tensorflow.TF_Message(status);
        String lines = message == null ? "no message" : message.getString();
        throw new IllegalStateException(
                "tensorflow: " + lines.lines().findFirst().orElse("no message"));
    }

    @Override
    public void close() {
        tensorflow.TF_DeleteStatus(status);
    }
}
