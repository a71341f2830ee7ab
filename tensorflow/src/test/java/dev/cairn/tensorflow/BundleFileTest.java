package dev.cairn.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.codec.ElementType;
import dev.cairn.formats.TensorFormat;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.EagerSession;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;

/// Compares Cairn's reader and writer of bundles with TensorFlow's own.
class BundleFileTest {
    private static final Map<ElementType, DataType> TYPES = new EnumMap<>(Map.ofEntries(
            Map.entry(ElementType.FLOAT64, DataType.DT_DOUBLE),
            Map.entry(ElementType.FLOAT32, DataType.DT_FLOAT),
            Map.entry(ElementType.FLOAT16, DataType.DT_HALF),
            Map.entry(ElementType.BFLOAT16, DataType.DT_BFLOAT16),
            Map.entry(ElementType.INT64, DataType.DT_INT64),
            Map.entry(ElementType.INT32, DataType.DT_INT32),
            Map.entry(ElementType.INT16, DataType.DT_INT16),
            Map.entry(ElementType.INT8, DataType.DT_INT8),
            Map.entry(ElementType.UINT64, DataType.DT_UINT64),
            Map.entry(ElementType.UINT32, DataType.DT_UINT32),
            Map.entry(ElementType.UINT16, DataType.DT_UINT16),
            Map.entry(ElementType.UINT8, DataType.DT_UINT8),
            Map.entry(ElementType.BOOL, DataType.DT_BOOL),
            Map.entry(ElementType.COMPLEX64, DataType.DT_COMPLEX64),
            Map.entry(ElementType.FLOAT8_E5M2, DataType.DT_FLOAT8_E5M2),
            Map.entry(ElementType.FLOAT8_E4M3FN, DataType.DT_FLOAT8_E4M3FN)));

    private static final RawSaver SAVER = new RawSaver(BundleFileTest::number);

    @TempDir
    Path folder;

    private final SequencedMap<NamedTensor, byte[]> tensors = new LinkedHashMap<>();

    private static int number(NamedTensor tensor) {
        return TYPES.getOrDefault(tensor.type(), DataType.DT_INVALID).getNumber();
    }

    @AfterAll
    static void close() {
        SAVER.close();
    }

    @BeforeEach
    void makeTensors() {
        var random = new Random(1);
        for (ElementType type : TYPES.keySet()) {
            put(new NamedTensor(type.label() + "/ü.weight", type, List.of(3L, 5L)), random);
        }
        put(new NamedTensor("scalar", ElementType.FLOAT32, List.of()), random);
        put(new NamedTensor("empty", ElementType.FLOAT32, List.of(0L, 2L)), random);
        put(new NamedTensor("large", ElementType.INT64, List.of(300L, 70L, 2L)), random);
        // Enough names for several blocks of the index.
        for (int i = 0; i < 9000; i++) {
            put(new NamedTensor("optimizer/moment/of/layer/" + i, ElementType.FLOAT32, List.of(1L, 2L)), random);
        }
    }

    private void put(NamedTensor tensor, Random random) {
        byte[] bytes = new byte[(int) tensor.sizeBytes()];
        random.nextBytes(bytes);
        if (tensor.type() == ElementType.BOOL) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] &= 1;
            }
        }
        tensors.put(tensor, bytes);
    }

    @Test
    void tensorFlowRestoresWhatWeWroteBitForBit() throws IOException {
        Path prefix = folder.resolve("ours.ckpt");
        write(prefix, new TreeMap<>());
        assertSame(SAVER.restore(prefix, List.copyOf(tensors.keySet())));
    }

    @Test
    void weReadWhatTensorFlowSavedBitForBit() throws IOException {
        Path prefix = folder.resolve("theirs.ckpt");
        SAVER.save(prefix, tensors);
        try (TensorFile file = TensorFormat.BUNDLE.open(prefix)) {
            assertSame(read(file));
            assertThat(file.notes()).isEmpty();
        }
    }

    @Test
    void tensorFlowGivesOurMetadataAsText() throws IOException {
        Path prefix = folder.resolve("ours.ckpt");
        write(prefix, new TreeMap<>(Map.of("who", "ü".repeat(1000))));
        try (EagerSession session = EagerSession.create()) {
            Ops tf = Ops.create(session);
            var restored = tf.train.restore(
                    tf.constant(prefix.toString()), tf.array("__metadata__"), tf.array(""), List.of(TString.class));
            var text = restored.tensors().getFirst().asTensor();
            assertThat(((TString) text).getObject()).isEqualTo("{\"who\":\"%s\"}".formatted("ü".repeat(1000)));
        }
        assertSame(SAVER.restore(prefix, List.copyOf(tensors.keySet())));
    }

    @Test
    void tensorFlowListsWhatWeWrote() throws IOException {
        Path prefix = folder.resolve("ours.ckpt");
        write(prefix, new TreeMap<>(Map.of("who", "me")));
        var wanted = new HashMap<String, List<Long>>();
        wanted.put("__metadata__", List.of((long) DataType.DT_STRING_VALUE));
        for (NamedTensor tensor : tensors.keySet()) {
            var numbers = new ArrayList<>(List.of((long) number(tensor)));
            numbers.addAll(tensor.shape());
            wanted.put(tensor.name(), numbers);
        }
        assertThat(SAVER.list(prefix)).isEqualTo(wanted);
    }

    @Test
    void dataInSeveralFilesIsRead() throws IOException {
        var parts = new ArrayList<SequencedMap<NamedTensor, byte[]>>();
        for (int i = 0; i < 3; i++) {
            parts.add(new LinkedHashMap<>());
        }
        tensors.forEach((tensor, bytes) ->
                parts.get(Math.floorMod(tensor.hashCode(), 3)).put(tensor, bytes));
        try (EagerSession session = EagerSession.create()) {
            Ops tf = Ops.create(session);
            String[] prefixes = new String[parts.size()];
            for (int i = 0; i < prefixes.length; i++) {
                Path part = folder.resolve("part" + i);
                SAVER.save(part, parts.get(i));
                prefixes[i] = part.toString();
            }
            tf.train.mergeV2Checkpoints(
                    tf.array(prefixes), tf.constant(folder.resolve("all").toString()));
        }
        assertThat(folder.resolve("all.data-00002-of-00003")).exists();
        try (TensorFile file = TensorFormat.BUNDLE.open(folder.resolve("all.index"))) {
            assertSame(read(file));
        }
    }

    @Test
    void textIsLeftOutAndPartsAreRefused() throws IOException {
        try (EagerSession session = EagerSession.create()) {
            Ops tf = Ops.create(session);
            Operand<TFloat32> weight = tf.constant(new float[][] {{1, 2}, {3, 4}});
            save(tf, "objects", "_CHECKPOINTABLE_OBJECT_GRAPH", "", tf.constant("a graph"), weight);
            save(tf, "parts", "v", "4 2 0,2:-", weight, weight);
        }
        try (TensorFile file = TensorFormat.BUNDLE.open(folder.resolve("objects"))) {
            assertThat(file.tensors()).extracting(NamedTensor::name).containsExactly("weight");
            assertThat(file.notes()).containsExactly("text tensor _CHECKPOINTABLE_OBJECT_GRAPH");
        }
        assertThatThrownBy(() -> TensorFormat.BUNDLE.open(folder.resolve("parts")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor v is stored in 1 parts");
    }

    /// Saves two tensors; the second one is `weight`.
    private void save(Ops tf, String prefix, String name, String slice, Operand<?> first, Operand<?> weight) {
        tf.train.save(
                tf.constant(folder.resolve(prefix).toString()),
                tf.array(name, "weight"),
                tf.array(slice, ""),
                List.of(first, weight));
    }

    private void write(Path prefix, SortedMap<String, String> metadata) throws IOException {
        try (TensorFileWriter writer = TensorFormat.BUNDLE.create(prefix, List.copyOf(tensors.keySet()), metadata)) {
            for (NamedTensor tensor : writer.order()) {
                writer.write(MemorySegment.ofArray(tensors.getOrDefault(tensor, new byte[0])));
            }
            writer.finish();
        }
    }

    private static SequencedMap<NamedTensor, byte[]> read(TensorFile file) throws IOException {
        var found = new LinkedHashMap<NamedTensor, byte[]>();
        for (NamedTensor tensor : file.tensors()) {
            byte[] bytes = new byte[(int) tensor.sizeBytes()];
            file.read(tensor, 0, MemorySegment.ofArray(bytes));
            found.put(tensor, bytes);
        }
        return found;
    }

    private void assertSame(Map<NamedTensor, byte[]> found) {
        assertThat(found.keySet()).isEqualTo(tensors.keySet());
        tensors.forEach((tensor, bytes) ->
                assertThat(found.get(tensor)).as(tensor.name()).isEqualTo(bytes));
    }
}
