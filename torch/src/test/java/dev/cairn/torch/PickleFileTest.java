package dev.cairn.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.bytedeco.pytorch.ByteVector;
import org.bytedeco.pytorch.GenericDict;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares Cairn's reader and writer of pt files with libtorch's own. The tests with Python cover the types for which
/// libtorch has no class of storages.
class PickleFileTest {
    private static final Map<ElementType, ScalarType> TYPES = new EnumMap<>(Map.of(
            ElementType.FLOAT64, ScalarType.Double,
            ElementType.FLOAT32, ScalarType.Float,
            ElementType.FLOAT16, ScalarType.Half,
            ElementType.BFLOAT16, ScalarType.BFloat16,
            ElementType.INT64, ScalarType.Long,
            ElementType.INT32, ScalarType.Int,
            ElementType.INT16, ScalarType.Short,
            ElementType.INT8, ScalarType.Char,
            ElementType.UINT8, ScalarType.Byte,
            ElementType.COMPLEX64, ScalarType.ComplexFloat));

    @TempDir
    Path folder;

    private final Map<NamedTensor, byte[]> tensors = new LinkedHashMap<>();
    private Path file = Path.of("");

    @BeforeEach
    void writeOurs() throws IOException {
        NativeLibraries.load();
        var random = new Random(1);
        for (ElementType type : TYPES.keySet()) {
            put(new NamedTensor(type.label() + "/ü.weight", type, List.of(3L, 5L)), random);
        }
        put(new NamedTensor("scalar", ElementType.FLOAT32, List.of()), random);
        put(new NamedTensor("empty", ElementType.FLOAT32, List.of(0L, 2L)), random);
        put(new NamedTensor("large", ElementType.INT64, List.of(300L, 70L, 2L)), random);
        file = folder.resolve("ours.pt");
        try (TensorFileWriter writer = TensorFormat.PT.create(file, List.copyOf(tensors.keySet()), new TreeMap<>())) {
            for (NamedTensor tensor : writer.order()) {
                writer.write(MemorySegment.ofArray(bytes(tensor)));
            }
            writer.finish();
        }
    }

    private void put(NamedTensor tensor, Random random) {
        byte[] bytes = new byte[(int) tensor.sizeBytes()];
        random.nextBytes(bytes);
        tensors.put(tensor, bytes);
    }

    private byte[] bytes(NamedTensor tensor) {
        return tensors.getOrDefault(tensor, new byte[0]);
    }

    @Test
    void libtorchReadsWhatWeWroteBitForBit() throws IOException {
        GenericDict dictionary =
                torch.pickle_load(new ByteVector(Files.readAllBytes(file))).toGenericDict();
        assertThat(dictionary.size()).isEqualTo(tensors.size());
        for (NamedTensor named : tensors.keySet()) {
            Tensor tensor = dictionary.at(new IValue(named.name())).toTensor();
            assertThat(tensor.scalar_type().intern()).isEqualTo(TYPES.get(named.type()));
            assertThat(tensor.dim()).isEqualTo(named.shape().size());
            for (int i = 0; i < named.shape().size(); i++) {
                assertThat(tensor.size(i)).isEqualTo(named.shape().get(i));
            }
            if (named.sizeBytes() > 0) {
                assertThat(tensor.data_ptr().address() % 16).isZero();
                assertThat(TorchMemory.of(tensor).mismatch(MemorySegment.ofArray(bytes(named))))
                        .as(named.name())
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void weReadWhatLibtorchWroteBitForBit() throws IOException {
        IValue state = torch.pickle_load(new ByteVector(Files.readAllBytes(file)));
        Path theirs = Files.write(
                folder.resolve("theirs.pt"), torch.pickle_save(state).get());
        try (TensorFile read = TensorFormat.PT.open(theirs)) {
            assertThat(read.tensors()).containsExactlyInAnyOrderElementsOf(tensors.keySet());
            for (NamedTensor tensor : read.tensors()) {
                MemorySegment found = MemorySegment.ofArray(new byte[(int) tensor.sizeBytes()]);
                read.read(tensor, 0, found);
                assertThat(found.mismatch(MemorySegment.ofArray(bytes(tensor)))).isEqualTo(-1);
            }
        }
    }
}
