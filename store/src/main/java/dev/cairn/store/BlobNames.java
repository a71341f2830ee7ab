package dev.cairn.store;

import java.util.regex.Pattern;

/// The names that blobs may have: a hostile record cannot lead out of its run.
public final class BlobNames {
    private static final Pattern VALID =
            Pattern.compile("([A-Za-z0-9_-][A-Za-z0-9._-]{0,127}/)*[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");

    private BlobNames() {}

    /// Whether a blob may have this name.
    public static boolean isValid(String name) {
        return name.length() <= 512 && VALID.matcher(name).matches();
    }

    /// The name, or `IllegalArgumentException` where no blob may have it.
    public static String checked(String name) {
        if (!isValid(name)) {
            throw new IllegalArgumentException("not a blob name: '" + name + "'");
        }
        return name;
    }
}
