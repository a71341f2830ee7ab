package dev.cairn.store.blob;

/// The valid names of blobs: a malicious record cannot point outside its run. Checked without regular expressions,
/// because lists of many thousand names are checked.
public final class BlobNames {
    private static final int LONGEST = 512;
    private static final int LONGEST_PART = 128;

    private BlobNames() {}

    /// Whether a blob may have this name: parts of `[A-Za-z0-9._-]` that do not start with a dot, separated by `/`.
    public static boolean isValid(String name) {
        int part = 0;
        for (int i = 0; i < name.length(); i++) {
            char letter = name.charAt(i);
            if (letter == '/') {
                if (part == 0) {
                    return false;
                }
                part = 0;
            } else if (!isAllowed(letter) || (letter == '.' && part == 0) || ++part > LONGEST_PART) {
                return false;
            }
        }
        return part > 0 && name.length() <= LONGEST;
    }

    private static boolean isAllowed(char letter) {
        return (letter >= 'a' && letter <= 'z')
                || (letter >= 'A' && letter <= 'Z')
                || (letter >= '0' && letter <= '9')
                || letter == '.'
                || letter == '_'
                || letter == '-';
    }

    /// Returns the name.
    ///
    /// @throws IllegalArgumentException if no blob may have it
    public static String checked(String name) {
        if (!isValid(name)) {
            throw new IllegalArgumentException("not a blob name: '" + name + "'");
        }
        return name;
    }
}
