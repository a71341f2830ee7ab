package dev.cairn.codec.lossless;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Frame;
import dev.cairn.codec.FrameReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Strings of 0 to 31 bits, one for each element, in 16 lanes, so that one vector instruction reads or writes 16 of
/// them.
///
/// Element `i` belongs to lane `i % 16`. For each lane, a reader holds two words of 32 bits (`low`, `high`) and an
/// offset from 0 to 31 into `low`, where the lane's next string starts. If a string ends at or past the end of `low`,
/// `high` becomes `low`, and the lane takes a new word from the array. If several lanes do so in the same row of
/// elements, they take their words in the order of the lanes. The array is read from its end to its beginning. 32 zeros
/// before its beginning are implied. After the last element, all words and offsets are 0.
///
/// A writer works in reverse: it takes the elements from the last to the first, and puts words where the reader will
/// take them. So neither of them ever looks ahead. Not thread-safe: buffers are reused.
final class LaneBits {
    static final int LANES = 16;

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// The maximum number of implied zeros, with which a reader ends.
    private static final int MOST_IMPLIED = 2 * LANES;

    /// The number of zeros before the first word, and the space after the last, because vector code moves 16 words at a
    /// time.
    private static final int MARGIN = MOST_IMPLIED + LANES;

    final int[] low = new int[LANES];
    final int[] high = new int[LANES];
    final int[] offset = new int[LANES];
    final int[] words;

    /// The index after the last word. A reader moves it towards the first.
    int end;

    /// @param mostElements the maximum number of elements; each takes less than one word
    LaneBits(int mostElements) {
        words = new int[mostElements + 2 * MARGIN];
    }

    /// Starts writing.
    void clear() {
        Arrays.fill(low, 0);
        Arrays.fill(high, 0);
        Arrays.fill(offset, 0);
        end = MARGIN;
    }

    /// Puts a string before the existing strings of its lane. Without branches, which would be unpredictable.
    void push(int lane, int string, int length) {
        int before = offset[lane] - length;
        int full = before >> 31;
        words[end] = high[lane];
        end -= full;
        int at = before & 31;
        high[lane] = (low[lane] & full) | (high[lane] & ~full) | (string >>> 1 >>> (31 - at));
        low[lane] = (low[lane] & ~full) | (string << at);
        offset[lane] = at;
    }

    /// Whether there are enough words for a whole row, including the zeros before the first.
    boolean hasRow() {
        return end >= LANES;
    }

    /// Takes the next string of a lane. In a row, the lanes are taken from the last to the first.
    int pull(int lane, int length) {
        int at = offset[lane];
        int string = ((low[lane] >>> at) | (high[lane] << 1 << (31 - at))) & ((1 << length) - 1);
        int after = at + length;
        int used = -(after >>> 5);
        end += used;
        low[lane] = (high[lane] & used) | (low[lane] & ~used);
        high[lane] = (words[end] & used) | (high[lane] & ~used);
        offset[lane] = after & 31;
        return string;
    }

    /// Whether a reader is where the writer started: it has read everything, and nothing more.
    boolean isFinished() {
        int left = 0;
        for (int lane = 0; lane < LANES; lane++) {
            left |= low[lane] | high[lane] | offset[lane];
        }
        return left == 0 && end <= MARGIN;
    }

    /// Appends the offsets, the words of the lanes, and the array without its leading zeros, which a reader implies.
    void write(Frame frame) {
        int first = MARGIN;
        while (first < MARGIN + MOST_IMPLIED && first < end && words[first] == 0) {
            first++;
        }
        int count = end - first;
        byte[] out = frame.reserve(LANES + 2 * Integer.BYTES * LANES + Integer.BYTES * (count + 1));
        int at = frame.size();
        for (int lane = 0; lane < LANES; lane++) {
            out[at++] = (byte) offset[lane];
        }
        at = put(low, 0, LANES, out, at);
        at = put(high, 0, LANES, out, at);
        MemorySegment.ofArray(out).set(WORD, at, count);
        frame.setSize(put(words, first, count, out, at + Integer.BYTES));
    }

    /// Reads what [#write] wrote.
    void read(FrameReader in) throws CorruptBlockException {
        for (int lane = 0; lane < LANES; lane++) {
            offset[lane] = in.getByte();
            if (offset[lane] > 31) {
                throw in.corrupt("lane offset=" + offset[lane]);
            }
        }
        get(in, low, 0, LANES);
        get(in, high, 0, LANES);
        int count = in.getCount(Math.min(words.length - 2 * MARGIN, in.remaining() / Integer.BYTES), "words");
        Arrays.fill(words, 0, MARGIN, 0);
        get(in, words, MARGIN, count);
        end = MARGIN + count;
    }

    private static int put(int[] from, int index, int count, byte[] out, int at) {
        MemorySegment.copy(from, index, MemorySegment.ofArray(out), WORD, at, count);
        return at + Integer.BYTES * count;
    }

    private static void get(FrameReader in, int[] to, int index, int count) throws CorruptBlockException {
        in.need(Integer.BYTES * count);
        int at = in.position();
        MemorySegment.copy(MemorySegment.ofArray(in.array()), WORD, at, to, index, count);
        in.setPosition(at + Integer.BYTES * count);
    }
}
