package dev.cairn.bench;

import java.io.IOException;
import java.util.List;

/// A benchmark of `cairn bench NAME`.
public interface Bench {
    /// The figures, in the order in which they are shown.
    List<Row> run() throws IOException;

    /// The speed of `memcpy` in that run. Most figures are relative to it.
    double memcpyBytesPerSecond();

    /// What a reader must know to understand the rows, in one line.
    String note();
}
