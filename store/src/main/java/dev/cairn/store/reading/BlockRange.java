package dev.cairn.store.reading;

import dev.cairn.store.segment.Workspace;
import java.io.IOException;

/// Blocks that can be read one by one, in any order and by several threads, each with a [Workspace] of its own.
public interface BlockRange {
    /// How many blocks there are.
    long blocks();

    /// Reads block number `index` of these.
    void read(long index, Workspace workspace) throws IOException;

    /// Whether this thread may read blocks too: memory of a confined arena is for its own thread alone.
    boolean isAccessibleBy(Thread thread);
}
