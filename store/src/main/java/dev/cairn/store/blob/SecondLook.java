package dev.cairn.store.blob;

import dev.cairn.store.DamagedException;
import dev.cairn.store.NewerFormatException;
import java.io.IOException;

/// Reads data that seems damaged once more before reporting damage: a bit may have flipped on the way from the disk
/// or over a network.
public final class SecondLook {
    private SecondLook() {}

    /// A read that goes to the storage each time.
    public interface Look<T> {
        /// Reads the present data.
        T read() throws IOException;
    }

    /// Returns what was read, at the first or the second attempt.
    public static <T> T at(Look<T> look) throws IOException {
        try {
            return look.read();
        } catch (DamagedException | NewerFormatException first) {
            return look.read();
        }
    }
}
