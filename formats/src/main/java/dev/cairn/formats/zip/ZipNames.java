package dev.cairn.formats.zip;

import dev.cairn.formats.file.UnsupportedException;
import java.nio.charset.StandardCharsets;

/// Names of tensors as names of entries.
public final class ZipNames {
    private static final int LONGEST = 60_000;

    private ZipNames() {}

    /// Refuses a name that would mean a place elsewhere to whoever unpacks the file.
    public static void check(String file, String tensor) throws UnsupportedException {
        if (!ZipDirectory.isSafe(tensor)
                || tensor.length() > LONGEST
                || !StandardCharsets.UTF_8.newEncoder().canEncode(tensor)) {
            throw UnsupportedException.tensor(
                    file, tensor, "has a name that no entry of a zip file may have; export as safetensors");
        }
    }
}
