package dev.cairn.observe.events;

import java.io.IOException;
import java.util.function.LongFunction;

/// Where the events of one attempt are stored. For one thread. After a failure only [#replace] may follow.
interface EventSink {
    /// Takes the next number of an attempt and stores what the function says for it.
    void open(LongFunction<byte[]> content) throws IOException;

    /// Adds these lines.
    void append(byte[] lines) throws IOException;

    /// Stores these lines instead of all before. Readers see the ones or the others.
    void replace(byte[] all) throws IOException;

    /// Whether the next lines had better be written with all before them.
    boolean wantsAll();

    /// Whether it is so dear to write that it is done with commits only.
    boolean isDear();
}
