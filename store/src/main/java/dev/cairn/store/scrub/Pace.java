package dev.cairn.store.scrub;

import java.io.IOException;

/// How fast files are read.
public interface Pace {
    /// Called before this many bytes are read or written. Waits until they may be.
    ///
    /// @throws java.io.InterruptedIOException if no more is to be read
    void before(int bytes) throws IOException;
}
