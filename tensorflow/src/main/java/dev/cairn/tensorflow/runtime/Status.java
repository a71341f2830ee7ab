package dev.cairn.tensorflow.runtime;

import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/// The status of the last call of the C interface, as an exception if the call failed.
final class Status implements AutoCloseable {
    private final TF_Status status = tensorflow.TF_NewStatus();

    TF_Status pointer() {
        return status;
    }

    /// @throws TensorFlowException if the last call with this status failed
    void check() {
        int code = tensorflow.TF_GetCode(status);
        if (code == tensorflow.TF_OK) {
            return;
        }
        BytePointer message = tensorflow.TF_Message(status);
        String lines = message == null ? "no message" : message.getString();
        throw new TensorFlowException(code, lines.lines().findFirst().orElse("no message"));
    }

    @Override
    public void close() {
        tensorflow.TF_DeleteStatus(status);
    }
}
