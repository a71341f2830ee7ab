package dev.cairn.codec.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.CorruptBlockException;
import dev.cairn.codec.Distortion;
import dev.cairn.codec.ElementType;
import dev.cairn.codec.Frame;
import dev.cairn.codec.Selection;
import dev.cairn.codec.sparse.SparseBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SparseEncoderTest {
    private static final ElementType TYPE = ElementType.FLOAT32;

    @Test
    void replacesTheSelectedRunsAndNothingElse() throws CorruptBlockException {
        var selection = new Selection(4, 21);
        selection.add(1);
        selection.add(5);
        var encoder = new SparseEncoder(TYPE, selection, new SparseBlock());
        MemorySegment live = segment(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21);
        MemorySegment reference = segment(new float[21]);
        MemorySegment reader = segment(new float[21]);
        // A border between blocks inside a run: run 1 has elements 4 to 7.
        for (int[] block : new int[][] {{0, 6}, {6, 15}}) {
            var frame = new Frame();
            encoder.startAt(block[0]);
            encoder.encode(slice(live, block), slice(reference, block), frame);
            byte[] bytes = frame.contents().toArray(ValueLayout.JAVA_BYTE);
            new BlockDecoder().apply(bytes, 0, bytes.length, TYPE, slice(reader, block));
        }
        float[] expected = new float[21];
        for (int i : new int[] {4, 5, 6, 7, 20}) {
            expected[i] = i + 1;
        }
        assertThat(values(reader)).isEqualTo(expected);
        assertThat(values(reference)).isEqualTo(expected);
        assertThat(selection.elements()).isEqualTo(5);
    }

    @Test
    void countsAsErrorWhatIsNotReplaced() {
        var selection = new Selection(1, 10);
        selection.add(3);
        selection.add(4);
        var encoder = new SparseEncoder(TYPE, selection, new SparseBlock());
        encoder.encode(segment(1, 1, 1, 3, 4, 0, 0, 0, 0, 0), segment(new float[10]), new Frame());
        Distortion distortion = encoder.takeDistortion();
        assertThat(distortion.deltaSquares()).isEqualTo(28);
        assertThat(distortion.errorSquares()).isEqualTo(3);
    }

    @Test
    void whatIsNotFiniteGoesExact() {
        for (float strange : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            var encoder = new SparseEncoder(TYPE, new Selection(1, 100), new SparseBlock());
            MemorySegment live = segment(0, strange, 1, 2);
            MemorySegment reference = segment(4, 3, 2, 1);
            encoder.encode(live, reference, new Frame());
            assertThat(reference.mismatch(live)).isEqualTo(-1);
        }
    }

    @Test
    void aBlockWithoutSelectedRunsTakesFiveBytes() {
        var encoder = new SparseEncoder(TYPE, new Selection(1, 100), new SparseBlock());
        var frame = new Frame();
        encoder.encode(segment(1, 2), segment(3, 4), frame);
        assertThat(frame.size()).isEqualTo(5);
    }

    private static MemorySegment segment(float... values) {
        return Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, values);
    }

    private static MemorySegment slice(MemorySegment segment, int[] startAndCount) {
        return segment.asSlice(4L * startAndCount[0], 4L * startAndCount[1]);
    }

    private static float[] values(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_FLOAT);
    }
}
