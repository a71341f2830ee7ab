package dev.cairn.store;

import dev.cairn.codec.Crc32c;

/// Thrown if stored bytes differ from what was written: a checksum differs, a file is missing or too short, or a
/// record does not parse.
public sealed class DamagedException extends StoreException permits MissingParentException {
    private static final long serialVersionUID = 1;

    private final String file;
    private final String reason;

    /// Reports damage in this file, named relative to the run.
    public DamagedException(String file, String reason) {
        super("damaged: " + file + ": " + reason);
        this.file = file;
        this.reason = reason;
    }

    /// Reports bytes whose checksum differs from the stored checksum.
    public static DamagedException checksum(String file, String part, long offset, int expected, int actual) {
        return new DamagedException(
                file,
                "%s at offset %d: expected crc32c=%s, actual crc32c=%s"
                        .formatted(part, offset, Crc32c.text(expected), Crc32c.text(actual)));
    }

    /// The damaged file, relative to the run.
    public String file() {
        return file;
    }

    /// What is wrong with it, without the file's name.
    public String reason() {
        return reason;
    }
}
