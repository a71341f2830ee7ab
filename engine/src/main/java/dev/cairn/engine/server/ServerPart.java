package dev.cairn.engine.server;

import java.time.Duration;

/// A server in this process that has some of the weights. The [ParameterServer] in another process tells it what to
/// do.
public interface ServerPart {
    /// Where others find it.
    String address();

    /// Waits until the [ParameterServer] that uses it has ended, at most for this time.
    void awaitEnd(Duration limit);
}
