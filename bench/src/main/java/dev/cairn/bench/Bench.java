package dev.cairn.bench;

import java.io.IOException;
import java.util.List;

/// What `cairn bench NAME` runs.
public interface Bench {
    /// The figures, in the order in which they are shown.
    List<Row> run() throws IOException;

    /// The speed of `memcpy` in that run, which most figures are relative to.
    double memcpyBytesPerSecond();

    /// What a reader of the rows must know besides, in one line.
    String note();
}
