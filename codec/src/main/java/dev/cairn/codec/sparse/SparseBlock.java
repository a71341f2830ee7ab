package dev.cairn.codec.sparse;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.Selection;
import dev.cairn.codec.huffman.SymbolCoder;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The selected runs of a block, for elements of any width.
///
/// ```
/// payload := run:u32 phase:u32 mask:symbols value*
/// ```
/// Element i of the block belongs to run `(i + phase) / run`. Bit `k % 8` of mask byte `k / 8` says that run k is
/// replaced. The values of those runs that lie in the block follow, not coded. Not thread-safe: its buffers are reused.
public final class SparseBlock {
    /// The entropy coder may write past the end.
    private static final int SLACK = 64;

    private final SymbolCoder maskCoder = new SymbolCoder();
    private byte[] mask = new byte[(1 << 13) + SLACK];
    private int run = 1;
    private int phase;
    private int count;
    private int runs;

    /// Takes the part of the selection that lies in a block.
    ///
    /// @param first the index in the tensor of the block's first element
    /// @return whether any element is selected
    public boolean select(Selection selection, long first, int elements) {
        reset(selection.run(), (int) (first % selection.run()), elements);
        long firstRun = first / selection.run();
        boolean any = false;
        for (int k = 0; k < runs; k++) {
            if (selection.contains(firstRun + k)) {
                mask[k >> 3] |= (byte) (1 << (k & 7));
                any = true;
            }
        }
        return any;
    }

    /// Whether element i of the block is replaced.
    public boolean replaces(int i) {
        return isSet((int) (((long) i + phase) / run));
    }

    /// Appends the selected live values, and copies them into the reference.
    public void write(MemorySegment u, MemorySegment r, int width, Frame frame) {
        frame.putInt(run);
        frame.putInt(phase);
        maskCoder.encode(mask, maskBytes(), frame);
        for (int k = 0; k < runs; k++) {
            if (isSet(k)) {
                MemorySegment values = u.asSlice((long) start(k) * width, (long) (start(k + 1) - start(k)) * width);
                frame.putAll(values);
                MemorySegment.copy(values, 0, r, (long) start(k) * width, values.byteSize());
            }
        }
    }

    /// Reads a payload, and replaces the values that it contains.
    public void apply(FrameReader in, MemorySegment r, int width) throws CorruptBlockException {
        int wantedRun = in.getCount(Integer.MAX_VALUE, "elements in a run");
        if (wantedRun == 0) {
            throw in.corrupt("runs have no elements");
        }
        reset(wantedRun, in.getCount(wantedRun - 1, "phase"), (int) (r.byteSize() / width));
        maskCoder.decode(in, mask, maskBytes());
        if (runs % 8 != 0 && (mask[maskBytes() - 1] & 0xff) >>> (runs % 8) != 0) {
            throw in.corrupt("the mask has bits beyond the last run");
        }
        MemorySegment bytes = MemorySegment.ofArray(in.array());
        for (int k = 0; k < runs; k++) {
            if (isSet(k)) {
                int length = (start(k + 1) - start(k)) * width;
                in.need(length);
                MemorySegment.copy(bytes, in.position(), r, (long) start(k) * width, length);
                in.setPosition(in.position() + length);
            }
        }
    }

    private void reset(int newRun, int newPhase, int elements) {
        run = newRun;
        phase = newPhase;
        count = elements;
        runs = (int) (((long) count + phase + run - 1) / run);
        if (mask.length < maskBytes() + SLACK) {
            mask = new byte[maskBytes() + SLACK];
        }
        Arrays.fill(mask, 0, maskBytes(), (byte) 0);
    }

    private boolean isSet(int k) {
        return (mask[k >> 3] >>> (k & 7) & 1) != 0;
    }

    /// The first element of a run in the block.
    private int start(int k) {
        return (int) Math.clamp((long) k * run - phase, 0L, (long) count);
    }

    private int maskBytes() {
        return (runs + 7) / 8;
    }
}
