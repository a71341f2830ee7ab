package dev.cairn.codec.lossy;

/// A quantized block: the seam between quantization and entropy coding, so that a device may produce it one day and the
/// host only codes and writes.
///
/// Layout: bit `i % 8` of `mask[i / 8]` says whether element `i` has an id other than 0; `ids` holds those ids in order
/// of their elements, one a byte; `values[id]` is what an element of that id adds to the reference. Bits of `mask`
/// beyond `count` are 0. Buffers are reused from block to block and are longer than what is in use, so that vector code
/// may write past the end.
public final class QuantizedBlock {
    /// The most elements a block can have.
    public static final int MOST_ELEMENTS = 1 << 16;

    private static final int SLACK = 64;

    final byte[] mask = new byte[MOST_ELEMENTS / 8 + SLACK];
    final byte[] ids = new byte[MOST_ELEMENTS + SLACK];
    final float[] values = new float[256];
    int count;
    int idCount;
    int largestId;

    /// How many elements the block has.
    public int count() {
        return count;
    }

    /// How many of them have an id other than 0.
    public int idCount() {
        return idCount;
    }

    /// The bytes of the mask that are in use.
    public int maskBytes() {
        return (count + 7) / 8;
    }

    /// Clears what a reader fills in before [#mask], [#ids] and [#values] are read from a frame.
    void reset(int elements) {
        count = elements;
        idCount = 0;
        largestId = 0;
    }

    /// Whether the mask names exactly `idCount` elements within `count`, and every id has a value.
    boolean isConsistent(int valueCount) {
        int named = 0;
        for (int i = 0; i < maskBytes(); i++) {
            named += Integer.bitCount(mask[i] & 0xff);
        }
        boolean beyondCount = count % 8 != 0 && (mask[maskBytes() - 1] & 0xff) >>> (count % 8) != 0;
        if (named != idCount || beyondCount) {
            return false;
        }
        for (int i = 0; i < idCount; i++) {
            int id = ids[i] & 0xff;
            if (id == 0 || id >= valueCount) {
                return false;
            }
        }
        return true;
    }
}
