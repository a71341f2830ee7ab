package dev.cairn.train.data.fetch;

import java.nio.file.Path;

/// Receives the progress of a download. Called on the loading thread; a slow listener slows down the download.
public interface DataProgress {
    /// Ignores all progress.
    DataProgress NONE = (_, _, _) -> {};

    /// Called when this many bytes of a file have arrived; at least at its end, with `bytes` equal to `totalBytes`.
    ///
    /// @param totalBytes the size of the file; −1 if the server does not say
    void downloading(String file, long bytes, long totalBytes);

    /// Called when an attempt failed and another one follows after a pause.
    default void retrying(String file, int nextAttempt, String reason) {}

    /// Called when another process or thread downloads this data set, before waiting for its end.
    default void waiting(String dataset, Path lock) {}
}
