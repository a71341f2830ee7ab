package dev.cairn.observe.tensorboard;

import java.io.IOException;
import java.time.Duration;

/// Takes the records of one start of a process. Not thread-safe.
interface CurveFile extends AutoCloseable {
    /// Appends whole frames. After a failure they are not there, and may be appended again.
    void append(byte[] frames) throws IOException;

    /// How long more frames are collected before they are appended.
    Duration pause();

    @Override
    void close() throws IOException;
}
