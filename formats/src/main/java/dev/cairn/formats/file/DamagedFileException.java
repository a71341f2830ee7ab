package dev.cairn.formats.file;

/// A file that does not follow its format: it was cut off, changed, or made up.
public final class DamagedFileException extends FormatException {
    private static final long serialVersionUID = 1;

    /// Creates an exception for damage in the file with this name.
    public DamagedFileException(String file, String problem) {
        super(file + ": " + problem, "the file is damaged or has another format");
    }
}
