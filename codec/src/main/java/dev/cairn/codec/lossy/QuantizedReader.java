package dev.cairn.codec.lossy;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.kernel.Floats;
import dev.cairn.codec.lossy.kernel.Kernels;
import dev.cairn.codec.lossy.kernel.LogKernels;
import dev.cairn.codec.lossy.kernel.QuantizedBlock;
import dev.cairn.codec.lossy.kernel.WarmKernels;
import dev.cairn.codec.lossy.kernel.WarmLogSteps;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/// Reads what quantizers wrote, and applies it to a reference. Not thread-safe: its buffers are reused.
public final class QuantizedReader {
    private static final int MIRRORED = 128;
    private static final int NARROW = 15;

    private final Kernels kernels;
    private final QuantizedBlock block = new QuantizedBlock();
    private final IdStreams streams;
    private final Map<ElementType, Deltas> deltas = new EnumMap<>(ElementType.class);
    private final LogKernels logKernels = new WarmLogSteps();
    private final SymbolCoder jumpCoder;
    private final byte[] jumps = new byte[QuantizedBlock.MOST_ELEMENTS + 16];

    /// Creates a reader with its own buffers, for one thread.
    ///
    /// @param tables the tables to which blocks refer
    public QuantizedReader(TableSet tables) {
        this(new WarmKernels(), tables);
    }

    QuantizedReader(Kernels kernels, TableSet tables) {
        this.kernels = kernels;
        this.streams = new IdStreams(tables);
        this.jumpCoder = new SymbolCoder(tables);
    }

    /// Adds values from a table, by id.
    public void applyTable(FrameReader in, ElementType type, MemorySegment r, int count) throws CorruptBlockException {
        if (!type.isFloating() || count > QuantizedBlock.MOST_ELEMENTS) {
            throw in.corrupt("a block of %d %s has no quantized form".formatted(count, type.label()));
        }
        block.reset(count);
        int header = in.getByte();
        boolean mirrored = header > MIRRORED;
        int values = mirrored ? header - MIRRORED : header;
        if (mirrored && values != 7) {
            throw in.corrupt("a mirrored table of %d values".formatted(values));
        }
        in.need(4 * values);
        for (int id = 1; id <= values; id++) {
            float value = Float.intBitsToFloat(in.getInt());
            if (!Floats.isSound(value)) {
                throw in.corrupt("value %d of the table is %s".formatted(id, value));
            }
            block.values[id] = value;
            if (mirrored) {
                block.values[id + 8] = -value;
            }
        }
        block.values[8] = mirrored ? 0 : block.values[8];
        int largest = mirrored ? NARROW : values;
        block.largestId = largest;
        streams.read(in, block, largest > NARROW, largest + 1);
        deltas.computeIfAbsent(type, Deltas::of).apply(kernels, block, r);
    }

    /// Moves values by steps of their logarithm.
    public void applyLogSteps(FrameReader in, ElementType type, MemorySegment r, int count)
            throws CorruptBlockException {
        if (type != ElementType.FLOAT32 || count > QuantizedBlock.MOST_ELEMENTS) {
            throw in.corrupt("a block of %d %s has no logarithmic form".formatted(count, type.label()));
        }
        block.reset(count);
        int shift = in.getByte();
        if (shift < 1 || shift > 27) {
            throw in.corrupt("step out of range: shift=" + shift);
        }
        int jumpCount = in.getCount(count, "jumps");
        jumpCoder.decode(in, jumps, jumpCount);
        streams.read(in, block, false, NARROW + 1);
        if (logKernels.apply(block, r, shift, jumps, jumpCount) != jumpCount) {
            throw in.corrupt("a value leaves its range, or the number of jumps is wrong");
        }
    }
}
