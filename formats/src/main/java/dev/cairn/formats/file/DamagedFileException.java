package dev.cairn.formats.file;

/// A file is not what its format says: cut off, changed, or made up.
public final class DamagedFileException extends FormatException {
    private static final long serialVersionUID = 1;

    /// Damage in the file of this name.
    public DamagedFileException(String file, String problem) {
        super(file + ": " + problem + "; the file is damaged, or of another format (--format says which)");
    }
}
