package dev.cairn.codec.lossy;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The mask and ids of a quantized block as entropy-coded bytes.
///
/// ```
/// streams := idCount:u32 mask:symbols ids:symbols
/// ```
/// Eight elements share a symbol of the mask, so that an element that does not change costs a fraction of a bit. Two
/// ids below 16 share a symbol, the first in the low half. If their number is odd, the last is followed by 0. Not
/// thread-safe.
final class IdStreams {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_HALVES = 0x0f0f0f0f0f0f0f0fL;

    private final SymbolCoder maskCoder;
    private final SymbolCoder idCoder;
    private final byte[] pairs = new byte[QuantizedBlock.MOST_ELEMENTS / 2 + 16];

    IdStreams(@Nullable TableSet tables) {
        this.maskCoder = new SymbolCoder(tables);
        this.idCoder = new SymbolCoder(tables);
    }

    /// Writes a table of values without mirroring, then the mask and ids.
    ///
    /// ```
    /// payload := valueCount:u8 value:f32* streams
    /// ```
    void writeTable(QuantizedBlock block, Frame frame) {
        frame.putByte(block.largestId);
        for (int id = 1; id <= block.largestId; id++) {
            frame.putInt(Float.floatToRawIntBits(block.values[id]));
        }
        write(block, block.largestId > 15, frame);
    }

    void write(QuantizedBlock block, boolean wide, Frame frame) {
        frame.putInt(block.idCount);
        maskCoder.encode(block.mask, block.maskBytes(), frame);
        if (wide) {
            idCoder.encode(block.ids, block.idCount, frame);
        } else {
            pack(block.ids, block.idCount);
            idCoder.encode(pairs, (block.idCount + 1) / 2, frame);
        }
    }

    void read(FrameReader in, QuantizedBlock block, boolean wide, int valueCount) throws CorruptBlockException {
        block.idCount = in.getCount(block.count, "ids");
        maskCoder.decode(in, block.mask, block.maskBytes());
        if (wide) {
            idCoder.decode(in, block.ids, block.idCount);
        } else {
            idCoder.decode(in, pairs, (block.idCount + 1) / 2);
            unpack(block.ids, block.idCount);
        }
        if (!block.isConsistent(valueCount)) {
            throw in.corrupt("mask and ids do not match");
        }
    }

    private void pack(byte[] ids, int count) {
        // Bytes beyond the last id are left from earlier blocks.
        for (int i = count; i < count + 8; i++) {
            ids[i] = 0;
        }
        for (int i = 0; i < count; i += 8) {
            INT.set(pairs, i >> 1, (int) Long.compress((long) LONG.get(ids, i), LOW_HALVES));
        }
    }

    private void unpack(byte[] ids, int count) {
        for (int i = 0; i < count; i += 8) {
            LONG.set(ids, i, Long.expand((int) INT.get(pairs, i >> 1) & 0xffff_ffffL, LOW_HALVES));
        }
    }
}
