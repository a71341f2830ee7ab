package dev.cairn.store;

/// An intact file of a format that only a later Cairn reads.
public final class NewerFormatException extends StoreException {
    private static final long serialVersionUID = 1;

    /// A file of a version that this Cairn does not read.
    public NewerFormatException(String file, long version, long newestKnown) {
        super(
                "newer format: %s has format version=%d, this Cairn reads up to %d; use the Cairn that wrote it, or a later one"
                        .formatted(file, version, newestKnown));
    }
}
