package dev.cairn.store;

import java.io.IOException;

/// What is not as it was written is read once more before it is called damaged: a bit may have flipped on its way from
/// the disk or over a network.
final class SecondLook {
    private SecondLook() {}

    /// Reads from the storage, each time anew.
    interface Look<T> {
        T read() throws IOException;
    }

    static <T> T at(Look<T> look) throws IOException {
        try {
            return look.read();
        } catch (DamagedException | NewerFormatException first) {
            return look.read();
        }
    }
}
