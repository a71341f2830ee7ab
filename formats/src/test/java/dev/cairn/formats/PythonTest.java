package dev.cairn.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Python as a witness: `numpy`, `safetensors` and, where it is installed, `torch` read what we wrote, and we read
/// what they wrote, bit for bit.
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

    /// What both sides say of a tensor.
    private record Described(String dtype, List<Long> shape, String bytes) {}

    @ParameterizedTest
    @EnumSource(
            value = TensorFormat.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = "BUNDLE") // TensorFlow is its witness
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
                                ? SafetensorsTypes.label(tensor.type())
                                : tensor.type().label(),
                        tensor.shape(),
                        HexFormat.of().formatHex(bytes))));
        assertThat(described(found.path("tensors"))).isEqualTo(expected);
        assertThat(JSON.convertValue(found.path("metadata"), new TypeReference<Map<String, String>>() {}))
                .isEqualTo(Samples.METADATA);
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
