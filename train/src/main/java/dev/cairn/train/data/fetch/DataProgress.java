package dev.cairn.train.data.fetch;

import java.nio.file.Path;

/// Is told how far a download is. Called from the thread that loads; a slow listener slows the download.
public interface DataProgress {
    /// Tells nobody.
    DataProgress NONE = (_, _, _) -> {};

    /// So many bytes of a file have come; called at least at its end, where `bytes` is `totalBytes`.
    ///
    /// @param totalBytes −1 where the server does not tell
    void downloading(String file, long bytes, long totalBytes);

    /// An attempt failed, the next one follows after a pause.
    default void retrying(String file, int nextAttempt, String reason) {}

    /// Another process or thread downloads this data set; its end is waited for.
    default void waiting(String dataset, Path lock) {}
}
