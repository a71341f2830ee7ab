package dev.cairn.formats.zip;

import dev.cairn.formats.file.UnsupportedException;
import java.nio.charset.StandardCharsets;

/// Checks of tensor names that become names of entries.
public final class ZipNames {
    private static final int LONGEST = 60_000;

    private ZipNames() {}

    /// Refuses a name that could lead out of the folder that the file is unpacked to.
    public static void check(String file, String tensor) throws UnsupportedException {
        if (!ZipDirectory.isSafe(tensor)
                || tensor.length() > LONGEST
                || !StandardCharsets.UTF_8.newEncoder().canEncode(tensor)) {
            throw UnsupportedException.tensor(
                    file, tensor, "has a name that is not allowed in a zip file; export as safetensors");
        }
    }
}
