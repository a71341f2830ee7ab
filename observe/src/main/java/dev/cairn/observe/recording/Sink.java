package dev.cairn.observe.recording;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.util.function.LongFunction;

/// Stores the lines of one recording. Not thread-safe. After a failure, only [#replace] may be called.
public interface Sink {
    /// Reserves the next attempt number, and stores the lines that the function returns for it.
    ///
    /// @param least the least number to use
    /// @return the number
    long open(long least, LongFunction<byte[]> content) throws IOException;

    /// Appends these lines.
    void append(byte[] lines) throws IOException;

    /// Replaces all stored lines by these. Readers see either the old or the new lines.
    void replace(byte[] all) throws IOException;

    /// Whether the next lines should be written with [#replace].
    boolean wantsAll();

    /// Whether writing is so expensive that it is done only now and then.
    boolean isDear();

    /// Where the files of this series go in the storage of a run.
    ///
    /// @param process the name of this process in the attempt: 1 to 32 lower-case letters and digits
    static Sink in(BlobStore store, Series series, String process) {
        return store instanceof LocalBlobStore local
                ? new FolderSink(local.root(), series, process)
                : new BlobSink(store, series, process);
    }
}
