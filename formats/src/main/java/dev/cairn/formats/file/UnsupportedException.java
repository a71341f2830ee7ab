package dev.cairn.formats.file;

/// A file or one of its tensors is valid, but holds something that Cairn does not support; or a format cannot hold
/// something that Cairn has.
public final class UnsupportedException extends FormatException {
    private static final long serialVersionUID = 1;

    /// Creates an exception for something in the file with this name.
    ///
    /// @param problem the problem and its cure
    public UnsupportedException(String file, String problem) {
        super(file + ": " + problem);
    }

    /// Creates an exception for a tensor of the file with this name.
    ///
    /// @param problem the problem and its cure, to follow the name of the tensor
    public static UnsupportedException tensor(String file, String tensor, String problem) {
        return new UnsupportedException(file, "tensor " + printable(tensor) + " " + problem);
    }
}
