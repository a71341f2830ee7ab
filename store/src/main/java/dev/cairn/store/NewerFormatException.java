package dev.cairn.store;

/// Thrown for an intact file whose format only a later version of Cairn can read.
public final class NewerFormatException extends StoreException {
    private static final long serialVersionUID = 1;

    /// Reports a file with a format version that this Cairn cannot read.
    public NewerFormatException(String file, long version, long newestKnown) {
        super(
                "newer format: %s has format version=%d, this Cairn reads up to %d; use the Cairn that wrote it, or a later one"
                        .formatted(file, version, newestKnown));
    }
}
