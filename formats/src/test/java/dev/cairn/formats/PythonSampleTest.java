package dev.cairn.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A part of [PythonTest], for machines that already have everything it needs.
class PythonSampleTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = TensorFormat.class,
            names = {"SAFETENSORS", "NPZ"})
    void pythonReadsEveryBit(TensorFormat format) throws Exception {
        Optional<Python> python = Python.atHand();
        assumeTrue(python.isPresent(), "no Python with numpy and safetensors: './mvnw verify -Ppython' makes one");
        var tensors = Samples.tensors(Samples.types(format), 1);
        Path file = Samples.write(format, folder.resolve("file"), tensors, Samples.METADATA);
        JsonNode found = new ObjectMapper()
                .readTree(python.orElseThrow().run("read", format.label(), file.toString()))
                .path("tensors");
        var read = new TreeMap<String, String>();
        found.forEach(tensor ->
                read.put(tensor.path("name").textValue(), tensor.path("bytes").textValue()));
        var written = new TreeMap<String, String>();
        tensors.forEach(
                (tensor, bytes) -> written.put(tensor.name(), HexFormat.of().formatHex(bytes)));
        assertThat(read).isEqualTo(written);
    }
}
