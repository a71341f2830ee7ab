package dev.cairn.store.blob;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import java.io.IOException;

/// What is not as it was written is read once more before it is called damaged: a bit may have flipped on its way from
/// the disk or over a network.
public final class SecondLook {
    private SecondLook() {}

    /// Reads from the storage, each time anew.
    public interface Look<T> {
        /// What is there now.
        T read() throws IOException;
    }

    /// What was read, at the first or the second look.
    public static <T> T at(Look<T> look) throws IOException {
        try {
            return look.read();
        } catch (DamagedException | NewerFormatException first) {
            return look.read();
        }
    }
}
