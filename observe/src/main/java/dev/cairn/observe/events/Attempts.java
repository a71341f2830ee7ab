package dev.cairn.observe.events;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.EventsName;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.util.Objects;

/// Numbers the attempts of a run.
final class Attempts {
    private Attempts() {}

    /// Returns the number after the highest one in use.
    static long next(BlobStore store) throws IOException {
        return store.list(RunFiles.EVENTS).stream()
                        .map(EventsName::parse)
                        .filter(Objects::nonNull)
                        .mapToLong(EventsName::attempt)
                        .max()
                        .orElse(0)
                + 1;
    }
}
