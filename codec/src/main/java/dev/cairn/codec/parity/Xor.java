package dev.cairn.codec.parity;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The exclusive or of bytes, eight at a time.
final class Xor {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int STRIDE = 4 * Long.BYTES;

    private Xor() {}

    /// Combines `length` bytes of the source with those of the target, which is another array.
    static void into(byte[] target, int at, byte[] source, int from, int length) {
        int i = 0;
        // All four are read before any is written: the compiler cannot know that the arrays differ.
        for (; i <= length - STRIDE; i += STRIDE) {
            long a = (long) LONG.get(target, at + i) ^ (long) LONG.get(source, from + i);
            long b = (long) LONG.get(target, at + i + 8) ^ (long) LONG.get(source, from + i + 8);
            long c = (long) LONG.get(target, at + i + 16) ^ (long) LONG.get(source, from + i + 16);
            long d = (long) LONG.get(target, at + i + 24) ^ (long) LONG.get(source, from + i + 24);
            LONG.set(target, at + i, a);
            LONG.set(target, at + i + 8, b);
            LONG.set(target, at + i + 16, c);
            LONG.set(target, at + i + 24, d);
        }
        for (; i < length; i++) {
            target[at + i] = (byte) (target[at + i] ^ source[from + i]);
        }
    }
}
