package dev.cairn.store.reading;

import dev.cairn.store.segment.Workspace;
import java.io.IOException;

/// Blocks that can be read one by one, in any order and by several threads, each with its own [Workspace].
public interface BlockRange {
    /// The number of blocks.
    long blocks();

    /// Reads the block with this index in the range.
    void read(long index, Workspace workspace) throws IOException;

    /// Whether this thread may read blocks: memory of a confined arena is only for its own thread.
    boolean isAccessibleBy(Thread thread);
}
