package dev.cairn.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests of what all formats guarantee.
class TensorFormatTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void readsWhatItWroteBitForBit(TensorFormat format) throws IOException {
        var tensors = Samples.tensors(Samples.types(format), 1);
        Path file = Samples.write(format, folder.resolve("file"), tensors, Samples.METADATA);
        try (TensorFile read = format.open(file)) {
            assertThat(read.tensors()).containsExactlyInAnyOrderElementsOf(tensors.keySet());
            assertSame(Samples.read(read), tensors);
            assertThat(read.metadata()).isEqualTo(Samples.METADATA);
            assertThat(read.notes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void readsAnyRange(TensorFormat format) throws IOException {
        var tensors = Samples.tensors(Samples.types(format), 2);
        Path file = Samples.write(format, folder.resolve("file"), tensors, Samples.NO_METADATA);
        var random = new Random(3);
        try (TensorFile read = format.open(file)) {
            for (int round = 0; round < 300; round++) {
                NamedTensor tensor = read.tensors().get(random.nextInt(tensors.size()));
                MemorySegment all = MemorySegment.ofArray(tensors.getOrDefault(tensor, new byte[0]));
                long from = random.nextLong(all.byteSize() + 1);
                long length = random.nextLong(all.byteSize() - from + 1);
                MemorySegment target = MemorySegment.ofArray(new byte[(int) length]);
                read.read(tensor, from, target);
                assertThat(target.mismatch(all.asSlice(from, length))).isEqualTo(-1);
            }
            NamedTensor tensor = new NamedTensor("large", ElementType.UINT8, List.of(70_001L));
            assertThatThrownBy(() -> read.read(tensor, 70_000, MemorySegment.ofArray(new byte[2])))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    static Stream<Arguments> pairs() {
        return Stream.of(TensorFormat.values())
                .flatMap(from -> Stream.of(TensorFormat.values()).map(to -> Arguments.of(from, to)));
    }

    /// A file that is read and written again has the same bytes.
    @ParameterizedTest
    @MethodSource("pairs")
    void goesFromFormatToFormatAndBack(TensorFormat from, TensorFormat to) throws IOException {
        Set<ElementType> types = EnumSet.copyOf(Samples.types(from));
        types.retainAll(Samples.types(to));
        // Sorted in the order of safetensors, because the order differs between formats.
        var tensors = Samples.tensors(types, 4);
        Path first = Samples.write(from, folder.resolve("first"), inOrder(tensors), Samples.METADATA);
        Path second = copy(from, first, to, folder.resolve("second"));
        Path third = copy(to, second, from, folder.resolve("third"));
        assertSameFiles(from, third, first);
        Path fourth = copy(from, third, to, folder.resolve("fourth"));
        assertSameFiles(to, fourth, second);
    }

    private static void assertSameFiles(TensorFormat format, Path found, Path wanted) {
        for (int i = 0; i < format.files(wanted).size(); i++) {
            assertThat(format.files(found).get(i))
                    .hasSameBinaryContentAs(format.files(wanted).get(i));
        }
    }

    private static SequencedMap<NamedTensor, byte[]> inOrder(Map<NamedTensor, byte[]> tensors) {
        var sorted = new LinkedHashMap<NamedTensor, byte[]>();
        tensors.entrySet().stream()
                .sorted((a, b) ->
                        b.getKey().type().sizeBytes() - a.getKey().type().sizeBytes())
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    private static Path copy(TensorFormat from, Path source, TensorFormat to, Path target) throws IOException {
        try (TensorFile file = from.open(source)) {
            return Samples.write(to, target, Samples.read(file), file.metadata());
        }
    }

    @Test
    void aTypeThatAFormatCannotHoldIsNamedWithItsTensor() throws IOException {
        for (TensorFormat format : List.of(TensorFormat.NPZ, TensorFormat.BUNDLE)) {
            for (ElementType type : EnumSet.complementOf(EnumSet.copyOf(Samples.types(format)))) {
                Path file = folder.resolve("file");
                var tensor = new NamedTensor("conv1.weight", type, List.of(2L));
                assertThatThrownBy(() -> format.create(file, List.of(tensor), Samples.NO_METADATA))
                        .isInstanceOf(UnsupportedException.class)
                        .hasMessageContainingAll("tensor conv1.weight", type.label(), "safetensors");
                assertThat(folder).isEmptyDirectory();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BUNDLE")
    void everyPrefixIsATypedError(TensorFormat format) throws IOException {
        var tensors = Samples.tensors(Set.of(ElementType.FLOAT32), 5);
        tensors.sequencedKeySet().removeIf(tensor -> tensor.name().equals("large"));
        byte[] bytes = Samples.bytes(format, folder.resolve("file"), tensors, Samples.METADATA);
        for (int length = 0; length < bytes.length; length++) {
            byte[] prefix = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Samples.read(Samples.open(format, prefix))).isInstanceOf(FormatException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void aFileWithoutTensorsIsAFile(TensorFormat format) throws IOException {
        Path file = Samples.write(format, folder.resolve("file"), Map.of(), Samples.NO_METADATA);
        try (TensorFile read = format.open(file)) {
            assertThat(read.tensors()).isEmpty();
        }
    }

    /// More entries than the fields of a plain zip file allow: Zip64.
    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void seventyThousandTensorsAreRead(TensorFormat format) throws IOException {
        var tensors = new LinkedHashMap<NamedTensor, byte[]>();
        for (int i = 0; i < 70_000; i++) {
            tensors.put(new NamedTensor("t" + i, ElementType.UINT8, List.of(1L)), new byte[] {(byte) i});
        }
        Path file = Samples.write(format, folder.resolve("file"), tensors, Samples.NO_METADATA);
        try (TensorFile read = format.open(file)) {
            assertSame(Samples.read(read), tensors);
        }
    }

    @ParameterizedTest
    @EnumSource(TensorFormat.class)
    void aWriterKeepsCount(TensorFormat format) throws IOException {
        var tensor = new NamedTensor("t", ElementType.FLOAT32, List.of(2L));
        Path file = folder.resolve("file");
        try (TensorFileWriter writer = format.create(file, List.of(tensor), Samples.NO_METADATA)) {
            writer.write(MemorySegment.ofArray(new byte[5]));
            assertThatThrownBy(() -> writer.write(MemorySegment.ofArray(new byte[4])))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
            writer.write(MemorySegment.ofArray(new byte[3]));
            assertThatThrownBy(() -> writer.write(MemorySegment.ofArray(new byte[1])))
                    .isInstanceOf(IllegalStateException.class);
            writer.finish();
        }
        assertThatThrownBy(() -> format.create(file, List.of(tensor), Samples.NO_METADATA))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(format.files(file)).allSatisfy(part -> assertThat(part).isNotEmptyFile());
    }

    @ParameterizedTest
    @CsvSource({
        "model.safetensors, SAFETENSORS",
        "MODEL.NPZ, NPZ",
        "a/b.pt, PT",
        "b.pth, PT",
        "pytorch_model.bin, PT",
        "model.ckpt, BUNDLE",
        "model.ckpt-100.index, BUNDLE",
        "model.onnx,",
        "npz,"
    })
    void theEndingOfANameSaysTheFormat(Path file, TensorFormat format) {
        assertThat(TensorFormat.ofFile(file)).isEqualTo(Optional.ofNullable(format));
    }

    static void assertSame(Map<NamedTensor, byte[]> found, Map<NamedTensor, byte[]> wanted) {
        assertThat(found.keySet()).isEqualTo(wanted.keySet());
        for (var entry : wanted.entrySet()) {
            if (!Arrays.equals(entry.getValue(), found.get(entry.getKey()))) {
                throw new AssertionError("other bytes: " + entry.getKey());
            }
        }
    }
}
