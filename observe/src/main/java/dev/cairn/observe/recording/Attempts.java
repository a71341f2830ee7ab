package dev.cairn.observe.recording;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RecordingName;
import dev.cairn.store.blob.RecordingName.Series;
import java.io.IOException;
import java.util.Objects;

/// Numbers the attempts of a run.
final class Attempts {
    private Attempts() {}

    /// Returns the number after the highest one in use.
    static long next(BlobStore store, Series series) throws IOException {
        return store.list(series.folder()).stream()
                        .map(name -> RecordingName.parse(series, name))
                        .filter(Objects::nonNull)
                        .mapToLong(RecordingName::attempt)
                        .max()
                        .orElse(0)
                + 1;
    }
}
