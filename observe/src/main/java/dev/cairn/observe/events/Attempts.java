package dev.cairn.observe.events;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.EventsName;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.util.Objects;

/// The numbers of attempts.
final class Attempts {
    private Attempts() {}

    /// The first number that nobody has taken.
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
