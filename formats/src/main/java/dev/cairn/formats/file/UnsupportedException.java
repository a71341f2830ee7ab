package dev.cairn.formats.file;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A file or one of its tensors is valid, but holds something that Cairn does not support; or a format cannot hold
/// something that Cairn has.
public final class UnsupportedException extends FormatException {
    private static final long serialVersionUID = 1;

    private final @Nullable String otherFormat;

    /// Creates an exception for something in the file with this name.
    ///
    /// @param problem the problem and its cure
    public UnsupportedException(String file, String problem) {
        super(file + ": " + problem);
        this.otherFormat = null;
    }

    private UnsupportedException(String file, String problem, String otherFormat) {
        super(file + ": " + problem, "it may be a %s file".formatted(otherFormat));
        this.otherFormat = otherFormat;
    }

    /// Creates an exception for a file that is probably of another format.
    ///
    /// @param otherFormat the label of that format
    public static UnsupportedException otherFormat(String file, String problem, String otherFormat) {
        return new UnsupportedException(file, problem, otherFormat);
    }

    /// The label of the format that the file probably has; empty if the format is not the problem.
    public Optional<String> otherFormat() {
        return Optional.ofNullable(otherFormat);
    }

    /// Creates an exception for a tensor of the file with this name.
    ///
    /// @param problem the problem and its cure, to follow the name of the tensor
    public static UnsupportedException tensor(String file, String tensor, String problem) {
        return new UnsupportedException(file, "tensor " + printable(tensor) + " " + problem);
    }
}
