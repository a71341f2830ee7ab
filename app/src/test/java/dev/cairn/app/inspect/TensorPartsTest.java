package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Extent;
import dev.cairn.store.Role;
import dev.cairn.store.TensorSpec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tensor that is stored in parts is shown in parts, and compared and exported as one tensor.
class TensorPartsTest {
    @TempDir
    Path folder;

    @Test
    void partsAreOneTensorForThoseWhoReadThem() throws IOException {
        save("whole", LiveTensor.weight("w", new float[] {1, 2, 3, 4, 5, 6}, 3, 2));
        save("parts", part(0, 1, 2), part(1, 3, 4, 5, 6));
        assertThat(Cli.run("diff", run("whole"), run("parts"), "--exit-code").code())
                .isZero();
        assertThat(export("parts")).isEqualTo(export("whole"));
        assertThat(Cli.run("show", run("parts")).out()).contains("w@[1, 0]", "float32[2x2] of [3x2]", "2 tensors");
        JsonNode second =
                Cli.run("show", run("parts"), "--json").json().path("tensors").get(1);
        assertThat(second.path("wholeShape").toString()).isEqualTo("[3,2]");
        assertThat(second.path("offset").toString()).isEqualTo("[1,0]");
        assertThat(Cli.run("verify", run("parts")).code()).isZero();
    }

    @Test
    void whatIsNotAllThereIsNotExported() throws IOException {
        save("some", part(1, 3, 4, 5, 6));
        Cli export = Cli.run(
                "export", run("some"), folder.resolve("some.safetensors").toString());
        assertThat(export.code()).isEqualTo(3);
        assertThat(export.err()).contains("only some parts of tensor w");
    }

    private byte[] export(String name) throws IOException {
        Path file = folder.resolve(name + ".safetensors");
        assertThat(Cli.run("export", run(name), file.toString()).code()).isZero();
        return Files.readAllBytes(file);
    }

    private String run(String name) {
        return folder.resolve(name).toString();
    }

    private void save(String name, LiveTensor... tensors) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(
                folder.resolve(name), CheckpointOptions.defaults().withoutLog())) {
            checkpoints.saveNow(1, TrainingState.of(tensors));
        }
    }

    /// Rows of a tensor of three rows.
    private static LiveTensor part(long firstRow, float... values) {
        var spec = new TensorSpec(
                "w",
                ElementType.FLOAT32,
                List.of(values.length / 2L, 2L),
                Role.WEIGHT,
                new Extent(List.of(3L, 2L), List.of(firstRow, 0L)));
        return new LiveTensor(spec, MemorySegment.ofArray(values));
    }
}
