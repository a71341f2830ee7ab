package dev.cairn.store.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.Samples;
import dev.cairn.store.TensorSpec;
import dev.cairn.store.blob.MemoryBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointDifference.Side;
import dev.cairn.store.reading.TensorDifference.Compared;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointDifferenceTest {
    private final CheckpointStore store = new CheckpointStore(new MemoryBlobStore());

    @Test
    void floatsAreEqualByTheirBits() throws IOException {
        float[] before = {1, Float.NaN, 0, Float.POSITIVE_INFINITY, 5};
        float[] after = {1, Float.NaN, -0.0f, 4, 2};
        Compared compared = compare(ElementType.FLOAT32, MemorySegment.ofArray(before), MemorySegment.ofArray(after));
        assertThat(compared.equalElements()).isEqualTo(2);
        assertThat(compared.notFinite()).isEqualTo(1);
        assertThat(compared.norm()).isEqualTo(3);
        assertThat(compared.largest()).isEqualTo(3);
        assertThat(compared.firstNorm()).isEqualTo(Math.sqrt(26));
    }

    @Test
    void halvesAreNumbersToo() throws IOException {
        short[] half = {Float.floatToFloat16(1.5f), Float.floatToFloat16(-2)};
        short[] other = {Float.floatToFloat16(4.5f), Float.floatToFloat16(2)};
        assertThat(compare(ElementType.FLOAT16, MemorySegment.ofArray(half), MemorySegment.ofArray(other))
                        .norm())
                .isEqualTo(5);
        short[] brain = {(short) 0x3fc0, (short) 0xc000};
        short[] changed = {(short) 0x3fc0, (short) 0x4000};
        Compared compared = compare(ElementType.BFLOAT16, MemorySegment.ofArray(brain), MemorySegment.ofArray(changed));
        assertThat(compared.largest()).isEqualTo(4);
        assertThat(compared.equalShare()).isEqualTo(0.5);
    }

    @Test
    void wholeNumbersThatADoubleCannotTellApartDiffer() throws IOException {
        long[] before = {Long.MAX_VALUE - 1, Long.MIN_VALUE};
        long[] after = {Long.MAX_VALUE, Long.MIN_VALUE};
        assertThat(compare(ElementType.INT64, MemorySegment.ofArray(before), MemorySegment.ofArray(after))
                        .norm())
                .isEqualTo(1);
        long[] far = {Long.MIN_VALUE, Long.MIN_VALUE};
        assertThat(compare(ElementType.INT64, MemorySegment.ofArray(before), MemorySegment.ofArray(far))
                        .largest())
                .isEqualTo(0x1p64);
        byte[] bytes = {(byte) 250, 3};
        byte[] more = {(byte) 255, 3};
        assertThat(compare(ElementType.UINT8, MemorySegment.ofArray(bytes), MemorySegment.ofArray(more))
                        .largest())
                .isEqualTo(5);
    }

    @Test
    void rangesAddUpOverATensorOfManyBlocks() throws IOException {
        int count = 3_000_000;
        float[] before = new float[count];
        float[] after = new float[count];
        for (int i = 0; i < count; i += 1000) {
            after[i] = 2;
        }
        Compared compared = compare(ElementType.FLOAT32, MemorySegment.ofArray(before), MemorySegment.ofArray(after));
        assertThat(compared.elements()).isEqualTo(count);
        assertThat(compared.equalElements()).isEqualTo(count - 3000);
        assertThat(compared.norm()).isEqualTo(Math.sqrt(4 * 3000));
    }

    @Test
    void tensorsThatOnlyOneHasOrThatChangedTheirShapeAreListed() throws IOException {
        Commit first = commit(
                tensor("kept", List.of(2L), new float[2]),
                tensor("gone", List.of(2L), new float[2]),
                tensor("wider", List.of(2L), new float[2]));
        Commit second = commit(
                tensor("new", List.of(2L), new float[2]),
                tensor("wider", List.of(1L, 2L), new float[2]),
                tensor("kept", List.of(2L), new float[2]));
        CheckpointDifference difference = between(first, second);
        assertThat(difference.tensors())
                .extracting(TensorDifference::name)
                .containsExactly("kept", "gone", "wider", "new");
        assertThat(difference.tensors().get(0).isNone()).isTrue();
        assertThat(difference.tensors().get(1)).isInstanceOf(TensorDifference.Missing.class);
        assertThat(difference.tensors().get(2)).isInstanceOf(TensorDifference.Reshaped.class);
        assertThat(difference.tensors().get(3)).isInstanceOf(TensorDifference.Unexpected.class);
        assertThat(difference.isNone()).isFalse();
    }

    private Compared compare(ElementType type, MemorySegment before, MemorySegment after) throws IOException {
        var spec = new TensorSpec("x", type, List.of(before.byteSize() / type.sizeBytes()), Role.WEIGHT);
        MemorySegment first = MemorySegment.ofArray(before.toArray(ValueLayout.JAVA_BYTE));
        MemorySegment second = MemorySegment.ofArray(after.toArray(ValueLayout.JAVA_BYTE));
        CheckpointDifference difference =
                between(commit(new Samples.Tensor(spec, first)), commit(new Samples.Tensor(spec, second)));
        return (Compared) difference.tensors().getFirst();
    }

    private static Samples.Tensor tensor(String name, List<Long> shape, float[] values) {
        var spec = new TensorSpec(name, ElementType.FLOAT32, shape, Role.WEIGHT);
        return new Samples.Tensor(spec, MemorySegment.ofArray(new byte[4 * values.length]));
    }

    private Commit commit(Samples.Tensor... tensors) throws IOException {
        return Samples.commit(CheckpointWriter.open(store, () -> {}), Samples.description(1), List.of(tensors));
    }

    private CheckpointDifference between(Commit first, Commit second) throws IOException {
        return CheckpointDifference.between(new Side(store, first), new Side(store, second), _ -> {});
    }
}
