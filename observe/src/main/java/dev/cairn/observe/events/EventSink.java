package dev.cairn.observe.events;

import java.io.IOException;
import java.util.function.LongFunction;

/// Stores the events of one attempt. Not thread-safe. After a failure, only [#replace] may be called.
interface EventSink {
    /// Reserves the next attempt number, and stores the lines that the function returns for it.
    void open(LongFunction<byte[]> content) throws IOException;

    /// Appends these lines.
    void append(byte[] lines) throws IOException;

    /// Replaces all stored lines by these. Readers see either the old or the new lines.
    void replace(byte[] all) throws IOException;

    /// Whether the next lines should be written with [#replace].
    boolean wantsAll();

    /// Whether writing is so expensive that it is done only after commits.
    boolean isDear();
}
