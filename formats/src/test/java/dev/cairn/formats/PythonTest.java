package dev.cairn.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.codec.ElementType;
import dev.cairn.formats.file.NamedTensor;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.TensorFileWriter;
import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.pt.TorchState;
import dev.cairn.formats.safetensors.TypeLabels;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Python as a witness: `numpy`, `safetensors` and, if installed, `torch` read what Cairn wrote, and Cairn reads what
/// they wrote, bit for bit.
@Tag("python")
class PythonTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path files;

    @TempDir
    Path folder;

    private static Python python;

    @BeforeAll
    static void letPythonWrite() throws IOException, InterruptedException, URISyntaxException {
        python = Python.find();
        python.run("write", files.toString());
    }

    /// The description of a tensor on both sides.
    private record Described(String dtype, List<Long> shape, String bytes) {}

    @ParameterizedTest
    @EnumSource(
            value = TensorFormat.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "BUNDLE") // TensorFlow itself checks bundles
    void pythonReadsWhatWeWrote(TensorFormat format) throws IOException, InterruptedException {
        assumeTrue(
                format != TensorFormat.PT || python.has("torch"), "torch is not installed: pt files are not compared");
        var tensors = Samples.tensors(Samples.types(format), 1);
        Path file = Samples.write(format, folder.resolve("file"), tensors, Samples.METADATA);
        JsonNode found = JSON.readTree(python.run("read", format.label(), file.toString()));
        var expected = new TreeMap<String, Described>();
        tensors.forEach((tensor, bytes) -> expected.put(
                tensor.name(),
                new Described(
                        format == TensorFormat.SAFETENSORS
                                ? TypeLabels.of(tensor.type())
                                : tensor.type().label(),
                        tensor.shape(),
                        HexFormat.of().formatHex(bytes))));
        assertThat(described(found.path("tensors"))).isEqualTo(expected);
        assertThat(JSON.convertValue(found.path("metadata"), new TypeReference<Map<String, String>>() {}))
                .isEqualTo(Samples.METADATA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SGD", "Adam"})
    void torchLoadsModelAndOptimizerOfAWholeState(String kind) throws IOException, InterruptedException {
        assumeTrue(python.has("torch"), "torch is not installed: pt files are not compared");
        boolean adam = kind.equals("Adam");
        List<String> keys = adam ? List.of("exp_avg", "exp_avg_sq") : List.of("momentum_buffer");
        List<NamedTensor> weights = List.of(
                new NamedTensor("0.weight", ElementType.FLOAT32, List.of(2L, 3L)),
                new NamedTensor("0.bias", ElementType.FLOAT32, List.of(2L)),
                new NamedTensor("1.weight", ElementType.FLOAT32, List.of(1L, 2L)),
                new NamedTensor("1.bias", ElementType.FLOAT32, List.of(1L)));
        var tensors = new ArrayList<>(weights);
        var parameters = new ArrayList<TorchState.Parameter>();
        for (NamedTensor weight : weights) {
            var held = new LinkedHashMap<String, String>();
            for (String key : keys) {
                held.put(key, weight.name() + "." + key);
                tensors.add(new NamedTensor(weight.name() + "." + key, weight.type(), weight.shape()));
            }
            parameters.add(new TorchState.Parameter(new LinkedHashMap<>(adam ? Map.of("step", 7L) : Map.of()), held));
        }
        var options = new LinkedHashMap<String, Object>(Map.of("lr", 0.25, "weight_decay", 0.5, "maximize", false));
        options.putAll(
                adam
                        ? Map.of("betas", List.of(0.75, 0.875), "eps", 1e-8, "amsgrad", false)
                        : Map.of("momentum", 0.9, "dampening", 0.0, "nesterov", false));
        Path file = folder.resolve("state.pt");
        var state = new TorchState(
                weights.stream().map(NamedTensor::name).collect(Collectors.toSet()),
                Optional.of(new TorchState.Optimizer(options, parameters)));
        try (TensorFileWriter writer = TensorFormat.PT.create(file, tensors, Samples.METADATA, state)) {
            for (int i = 0; i < tensors.size(); i++) {
                byte[] bytes = new byte[(int) tensors.get(i).sizeBytes()];
                Arrays.fill(bytes, (byte) (i + 1));
                writer.write(MemorySegment.ofArray(bytes));
            }
            writer.finish();
        }
        JsonNode found = JSON.readTree(python.run("optimizer", file.toString(), kind));
        assertThat(found.path("options").path("lr").asDouble()).isEqualTo(0.25);
        assertThat(found.path("options").path("weight_decay").asDouble()).isEqualTo(0.5);
        assertThat(found.path("steps").path(3).asDouble()).isEqualTo(adam ? 7 : 0);
        assertThat(found.path("moved").path(3).asDouble()).isEqualTo(adam ? 8 : 0);
        var expected = new TreeMap<String, Described>();
        for (NamedTensor tensor : tensors.subList(weights.size(), tensors.size())) {
            String bytes = "%02x".formatted(tensors.indexOf(tensor) + 1).repeat((int) tensor.sizeBytes());
            expected.put(tensor.name(), new Described("float32", tensor.shape(), bytes));
        }
        assertThat(described(found.path("tensors"))).isEqualTo(expected);
    }

    @Test
    void weReadWhatNumpyAndSafetensorsWrote() throws IOException {
        compare("numpy.npz", "deflated.npz", "numpy.safetensors");
        try (TensorFile file = TensorFormat.SAFETENSORS.open(files.resolve("numpy.safetensors"))) {
            assertThat(file.metadata()).isEqualTo(Map.of("who", "me"));
        }
    }

    @Test
    void weReadWhatTorchWrote() throws IOException, InterruptedException {
        assumeTrue(python.has("torch"), "torch is not installed: pt files are not compared");
        compare("plain.pt", "protocol4.pt", "nested.pt");
        try (TensorFile file = TensorFormat.PT.open(files.resolve("nested.pt"))) {
            assertThat(file.metadata())
                    .containsEntry("epoch", "3")
                    .containsEntry("name", "x")
                    .containsEntry("optimizer.param_groups.0.lr", "0.001");
        }
    }

    @Test
    void whatTorchChangesOnlyWhenItReadsIsRefused() throws IOException, InterruptedException {
        assumeTrue(python.has("torch"), "torch is not installed: pt files are not compared");
        for (String bit : List.of("conj", "neg")) {
            assertThatThrownBy(() -> TensorFormat.PT.open(files.resolve(bit + ".pt")))
                    .isInstanceOf(UnsupportedException.class)
                    .hasMessageContaining("tensor model.%s is ".formatted(bit))
                    .hasMessageContaining(".resolve_%s()".formatted(bit));
        }
    }

    @Test
    void whatTorchHasAndCairnHasNotIsNamed() throws IOException, InterruptedException {
        assumeTrue(python.has("torch"), "torch is not installed: pt files are not compared");
        assertThatThrownBy(() -> TensorFormat.PT.open(files.resolve("complex128.pt")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor w has the type complex128");
        assertThatThrownBy(() -> TensorFormat.PT.open(files.resolve("wide.pt")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("seed is a whole number of 11 bytes");
        assertThatThrownBy(() -> TensorFormat.NPZ.open(files.resolve("fields.npz")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("tensor points has the NumPy type '[('x', '<f4'), ('y', '<i2', (2,))]'");
    }

    private static void compare(String... names) throws IOException {
        JsonNode expected = JSON.readTree(files.resolve("expected.json").toFile());
        for (String name : names) {
            TensorFormat format = TensorFormat.ofFile(Path.of(name)).orElseThrow();
            assertThat(Files.size(files.resolve(name))).isPositive();
            try (TensorFile file = format.open(files.resolve(name))) {
                var found = new TreeMap<String, Described>();
                Samples.read(file)
                        .forEach((tensor, bytes) -> found.put(
                                tensor.name(),
                                new Described(
                                        tensor.type().label(),
                                        tensor.shape(),
                                        HexFormat.of().formatHex(bytes))));
                assertThat(found).as(name).isEqualTo(described(expected.path(name)));
            }
        }
    }

    private static Map<String, Described> described(JsonNode tensors) {
        var described = new TreeMap<String, Described>();
        for (JsonNode tensor : tensors) {
            var shape = new ArrayList<Long>();
            tensor.path("shape").forEach(dimension -> shape.add(dimension.longValue()));
            described.put(
                    tensor.path("name").textValue(),
                    new Described(
                            tensor.path("dtype").textValue(),
                            shape,
                            tensor.path("bytes").textValue()));
        }
        assertThat(described).isNotEmpty();
        return described;
    }
}
