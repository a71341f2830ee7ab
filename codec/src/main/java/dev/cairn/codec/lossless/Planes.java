package dev.cairn.codec.lossless;

/// Where the four planes of a block of float32 are: plane `p` starts at index `starts[p]` of `arrays[p]`. A plane that
/// is
/// stored without coding is read from the frame itself. Reused from block to block.
final class Planes {
    static final int COUNT = Float.BYTES;

    final byte[][] arrays = new byte[COUNT][];
    final int[] starts = new int[COUNT];

    /// Planes in one array, each `stride` after the one before.
    static Planes of(byte[] planes, int stride) {
        var made = new Planes();
        for (int p = 0; p < COUNT; p++) {
            made.set(p, planes, p * stride);
        }
        return made;
    }

    void set(int plane, byte[] array, int start) {
        arrays[plane] = array;
        starts[plane] = start;
    }
}
