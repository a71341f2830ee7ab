package dev.cairn.codec.pattern;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import dev.cairn.codec.huffman.SymbolCoder;
import dev.cairn.codec.huffman.TableSet;
import dev.cairn.codec.lossy.kernel.Floats;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The amounts of patterns in the rows of a float32 block. Not thread-safe: its buffers are reused.
///
/// ```
/// amounts := patterns:u32 column:u32 scale:f32 symbols
/// ```
/// `patterns` is the index of the patterns in the segment, `column` the column of the first element. The symbols are
/// the amounts, folded, pattern by pattern and row by row. A reader adds `scale` times the sum of amount times
/// number to each element.
public final class PatternBlock {
    /// The largest magnitude of an amount.
    static final int LARGEST = 127;

    /// A larger scale could make a finite value infinite.
    private static final float LARGEST_SCALE = 0x1p100f;

    private final SymbolCoder coder;
    private final PatternKernels kernels;
    private final ScalarPatterns parts = new ScalarPatterns();
    private byte[] symbols = new byte[0];
    private float[] amounts = new float[0];
    private @Nullable Patterns patterns;
    private int index;
    private int column;
    private int rows;
    private float scale;

    /// @param tables the tables to which blocks refer; null if blocks carry their own
    public PatternBlock(@Nullable TableSet tables) {
        this(new WarmPatterns(), tables);
    }

    PatternBlock(PatternKernels kernels, @Nullable TableSet tables) {
        this.kernels = kernels;
        this.coder = new SymbolCoder(tables);
    }

    /// Prepares a block of `count` elements, the first of which lies in this column.
    void start(Patterns shared, int sharedIndex, int firstColumn, int count, float factor) {
        patterns = shared;
        index = sharedIndex;
        column = firstColumn;
        scale = factor;
        rows = rows(shared, firstColumn, count);
        int most = rows * shared.count();
        if (amounts.length < most) {
            amounts = new float[most];
            symbols = new byte[most + Long.BYTES];
        }
    }

    static int rows(Patterns patterns, int column, int count) {
        return (column + count + patterns.columns() - 1) / patterns.columns();
    }

    /// Whether a writer may use this scale: no product is so small, or so large, that sums depend on the machine.
    static boolean isUsable(float scale) {
        return scale >= Floats.SMALLEST_VALUE && scale <= LARGEST_SCALE;
    }

    /// Sets the amounts of one row, and returns the sum of their magnitudes.
    float setAmounts(int rowOfBlock, float[] from, int at) {
        int count = patterns().count();
        float sum = 0;
        for (int k = 0; k < count; k++) {
            float amount = from[at + k];
            amounts[rowOfBlock * count + k] = amount;
            sum += Math.abs(amount);
        }
        return sum;
    }

    private Patterns patterns() {
        if (patterns == null) {
            throw new IllegalStateException("no block was started");
        }
        return patterns;
    }

    /// Appends the amounts.
    public void write(Frame frame) {
        frame.putInt(index);
        frame.putInt(column);
        frame.putInt(Float.floatToRawIntBits(scale));
        int count = patterns().count();
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < count; k++) {
                int amount = (int) amounts[i * count + k];
                symbols[k * rows + i] = (byte) ((amount << 1) ^ (amount >> 31));
            }
        }
        coder.encode(symbols, rows * count, frame);
    }

    /// Reads what [#write] wrote for a block of `count` elements.
    ///
    /// @param all the patterns of the segment
    public void read(FrameReader in, List<Patterns> all, int count) throws CorruptBlockException {
        if (all.isEmpty()) {
            throw in.corrupt("the segment has no patterns");
        }
        int number = in.getCount(all.size() - 1, "index of patterns");
        Patterns shared = all.get(number);
        int firstColumn = in.getCount(shared.columns() - 1, "column");
        float factor = Float.intBitsToFloat(in.getInt());
        if (!isUsable(factor)) {
            throw in.corrupt("the scale of amounts is " + factor);
        }
        start(shared, number, firstColumn, count, factor);
        int kinds = shared.count();
        coder.decode(in, symbols, rows * kinds);
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < kinds; k++) {
                int folded = symbols[k * rows + i] & 0xff;
                if (folded == 255) {
                    throw in.corrupt("an amount is below -" + LARGEST);
                }
                amounts[i * kinds + k] = (folded >>> 1) ^ -(folded & 1);
            }
        }
    }

    /// Adds the patterns to a block.
    public void apply(MemorySegment r) {
        Patterns shared = patterns();
        int count = (int) (r.byteSize() / Float.BYTES);
        int columns = shared.columns();
        int kinds = shared.count();
        int head = column == 0 ? 0 : Math.min(columns - column, count);
        int done = head == 0 ? 0 : 1;
        int whole = (count - head) / columns;
        if (head > 0) {
            parts.addPart(r, 0, column, column + head, shared, amounts, 0, scale);
        }
        kernels.add(r, head, whole, shared, amounts, done * kinds, scale);
        int rest = count - head - whole * columns;
        if (rest > 0) {
            parts.addPart(r, count - rest, 0, rest, shared, amounts, (done + whole) * kinds, scale);
        }
    }
}
