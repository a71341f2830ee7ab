package dev.cairn.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run that scored 0.9 at step 15, and saved steps 10, 20 and 30 alone.
class BestStepTest {
    @TempDir
    Path folder;

    private String run = "";

    private record Scored(LiveTensor weights, double accuracy, long bestStep) implements TrainingState {
        @Override
        public List<LiveTensor> tensors() {
            return List.of(weights);
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty().with("accuracy", accuracy).with("bestStep", bestStep);
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }

    @BeforeEach
    void train() throws IOException {
        run = folder.resolve("run").toString();
        LiveTensor weights = LiveTensor.of(
                "w", Role.WEIGHT, ElementType.FLOAT32, Arena.ofAuto().allocate(400), 100);
        try (Checkpoints checkpoints = Checkpoints.open(Path.of(run), CheckpointOptions.defaults())) {
            checkpoints.saveNow(10, new Scored(weights, 0.5, 10));
            checkpoints.saveNow(20, new Scored(weights, 0.9, 15));
            checkpoints.saveNow(30, new Scored(weights, 0.7, 15));
        }
    }

    @Test
    void anExportOfAnotherStepThanTheBestSaysSo() {
        Path file = folder.resolve("weights.npz");
        Cli exported = Cli.run("export", run + "@best", file.toString());
        assertThat(exported.code()).isZero();
        assertThat(exported.out()).contains("step 20");
        assertThat(exported.err())
                .contains("@best is step 20, the best saved step; step 15 has the best score but has no checkpoint");
        JsonNode json = Cli.run("export", run + "@best", file.toString(), "--force", "--json")
                .json();
        assertThat(json.path("step").asLong()).isEqualTo(20);
        assertThat(json.path("bestStep").asLong()).isEqualTo(15);
        assertThat(json.path("bestIsKept").asBoolean(true)).isFalse();
    }

    @Test
    void soDoShowAndDiff() {
        assertThat(Cli.run("show", run + "@best").err()).contains("@best is step 20");
        assertThat(Cli.run("diff", run, run + "@best").err()).contains("@best is step 20");
    }

    @Test
    void whoNamesAStepIsNotTold() {
        assertThat(Cli.run("show", run + "@20").err()).isEmpty();
        assertThat(Cli.run("show", run).err()).isEmpty();
    }
}
