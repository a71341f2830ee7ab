package dev.cairn.codec.lossy.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A quantized block: the interface between quantization and entropy coding. A device could produce it one day, so that
/// the host only codes and writes.
///
/// Layout: bit `i % 8` of `mask[i / 8]` says whether element `i` has an id other than 0. `ids` holds those ids in the
/// order of their elements, one per byte. `values[id]` is the value that an element with that id adds to the reference.
/// Bits of `mask` beyond `count` are 0. Buffers are reused from block to block and are longer than the part in use, so
/// that vector code may write past the end.
public final class QuantizedBlock {
    /// The maximum number of elements in a block.
    public static final int MOST_ELEMENTS = 1 << 16;

    private static final int SLACK = 64;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    /// Which elements have an id other than 0.
    public final byte[] mask = new byte[MOST_ELEMENTS / 8 + SLACK];
    /// The ids other than 0.
    public final byte[] ids = new byte[MOST_ELEMENTS + SLACK];
    /// What each id adds.
    public final float[] values = new float[256];
    /// The number of elements.
    public int count;

    /// The number of ids.
    public int idCount;

    /// No id is larger.
    public int largestId;

    /// The number of elements in the block.
    public int count() {
        return count;
    }

    /// The number of elements with an id other than 0.
    public int idCount() {
        return idCount;
    }

    /// The number of bytes of the mask that are in use.
    public int maskBytes() {
        return (count + 7) / 8;
    }

    /// Prepares the block for this many elements, before [#mask], [#ids] and [#values] are filled.
    public void reset(int elements) {
        count = elements;
        idCount = 0;
        largestId = 0;
    }

    /// Whether the mask marks exactly `idCount` elements within `count`, and every id has a value. All ids of four bits
    /// are below 16.
    public boolean isConsistent(int valueCount) {
        clearBeyond(mask, maskBytes());
        clearBeyond(ids, idCount);
        int named = 0;
        for (int i = 0; i < maskBytes(); i += Long.BYTES) {
            named += Long.bitCount((long) LONG.get(mask, i));
        }
        boolean beyondCount = count % 8 != 0 && (mask[maskBytes() - 1] & 0xff) >>> (count % 8) != 0;
        return named == idCount && !beyondCount && !hasZeroId() && (valueCount == 16 || !hasIdFrom(valueCount));
    }

    /// Checks eight ids at a time: the lowest zero byte of a word borrows into its highest bit.
    private boolean hasZeroId() {
        int whole = idCount & -Long.BYTES;
        long found = 0;
        for (int i = 0; i < whole; i += Long.BYTES) {
            long word = (long) LONG.get(ids, i);
            found |= (word - LOW_BITS) & ~word & HIGH_BITS;
        }
        for (int i = whole; i < idCount; i++) {
            found |= ids[i] == 0 ? 1 : 0;
        }
        return found != 0;
    }

    private boolean hasIdFrom(int valueCount) {
        for (int i = 0; i < idCount; i++) {
            if ((ids[i] & 0xff) >= valueCount) {
                return true;
            }
        }
        return false;
    }

    /// Bytes beyond the used ones are left from earlier blocks; words read past the end must not see them.
    private static void clearBeyond(byte[] bytes, int used) {
        LONG.set(bytes, used, 0L);
    }
}
