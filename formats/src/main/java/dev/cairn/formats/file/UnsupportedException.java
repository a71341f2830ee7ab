package dev.cairn.formats.file;

/// A file, or a tensor of it, is sound, but holds what Cairn does not; or a format does not hold what Cairn has.
public final class UnsupportedException extends FormatException {
    private static final long serialVersionUID = 1;

    /// Something in the file of this name.
    ///
    /// @param problem with its cure
    public UnsupportedException(String file, String problem) {
        super(file + ": " + problem);
    }

    /// A tensor of the file of this name.
    ///
    /// @param problem with its cure
    public static UnsupportedException tensor(String file, String tensor, String problem) {
        return new UnsupportedException(file, "tensor " + printable(tensor) + " " + problem);
    }
}
