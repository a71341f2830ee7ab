package dev.cairn.app.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.app.Cli;
import dev.cairn.app.SmallRun;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.Role;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShowCommandTest {
    @TempDir
    Path folder;

    private SmallRun run = new SmallRun(Path.of("."));

    @BeforeEach
    void train() throws IOException {
        run = SmallRun.train(folder.resolve("run"), "lossy", 3, 1);
    }

    @Test
    void tellsOfEveryTensor() throws IOException {
        JsonNode shown = Cli.run("show", run.toString(), "--json").json();
        Commit newest = run.checkpoints().getLast();
        assertThat(shown.path("id").asText()).isEqualTo(newest.id());
        assertThat(shown.path("step").asLong()).isEqualTo(30);
        assertThat(shown.path("tensors")).hasSize(3);
        JsonNode weight = shown.path("tensors").get(0);
        assertThat(weight.path("name").asText()).isEqualTo("layer.weight");
        assertThat(weight.path("dtype").asText()).isEqualTo("float32");
        assertThat(weight.path("shape").toString()).isEqualTo("[60,50]");
        assertThat(weight.path("role").asText()).isEqualTo("weight");
        assertThat(weight.path("fullBytes").asLong()).isEqualTo(12_000);
        assertThat(weight.path("bytes").asLong()).isBetween(1L, 6_000L);
        assertThat(weight.path("codec").asText()).isEqualTo(newest.codec());
        assertThat(weight.path("relativeError").asDouble())
                .isCloseTo(shown.path("errorOfState").asDouble(), within(0.05));
        assertThat(shown.path("tensors").get(1).path("relativeError").asDouble())
                .as("moments are dropped")
                .isEqualTo(1);
        assertThat(shown.path("tensors").get(2).path("relativeError").asDouble(-1))
                .isZero();
    }

    @Test
    void tellsWhatARestoreReadsAndWhatTheCheckpointCost() throws IOException {
        JsonNode shown = Cli.run("show", run + "@20", "--json").json();
        List<Commit> chain = run.checkpoints().subList(0, 2);
        assertThat(shown.path("chain")).hasSize(2);
        assertThat(shown.path("chain").get(0).path("kind").asText()).isEqualTo("base");
        assertThat(shown.path("restoreFiles").asInt()).isEqualTo(2);
        assertThat(shown.path("restoreBytes").asLong())
                .isEqualTo(chain.stream().mapToLong(Commit::storedBytes).sum());
        assertThat(shown.path("stallSeconds").isNumber()).isTrue();
        assertThat(shown.path("saveSeconds").asDouble()).isPositive();
        assertThat(Cli.run("show", run + "@20").out())
                .contains("step 20, delta", "chain    step 10, base", "the training waited", "layer.weight");
    }

    @Test
    void anIntervalThatSomebodySetIsNotToldAsTheRunsChoice() {
        JsonNode decisions =
                Cli.run("show", run.toString(), "--policy", "--json").json().path("decisions");
        assertThat(decisions)
                .isNotEmpty()
                .allMatch(decision -> !decision.path("followed").asBoolean(true));
        assertThat(Cli.run("show", run.toString(), "--policy").out().lines().filter(line -> line.startsWith("step ")))
                .isNotEmpty()
                .allMatch(line -> line.contains(": --every set another interval; auto would save every "));
    }

    @Test
    void readsNoTensor() throws IOException {
        String before = Cli.run("show", run.toString()).out();
        for (Commit checkpoint : run.checkpoints()) {
            Files.delete(run.folder().resolve(checkpoint.segments().getFirst().name()));
        }
        assertThat(Cli.run("show", run.toString()).out()).isEqualTo(before);
    }

    @Test
    void whatALossyCodecDoesNotStoreIsToldPerRoleAndTensor() {
        Cli shown = Cli.run("show", run.toString());
        assertThat(shown.out())
                .contains("codec    lossy (uq:0.74)\n")
                .containsPattern("roles    weight +1 tensor, lossy [(]uq:0.74[)], off by up to [0-9.]+ %")
                .containsPattern("first-moment +1 tensor, not stored: zeros after a restore")
                .containsPattern("cursor +1 tensor, lossless, exact")
                .containsPattern("layer.moment +float32\\[3000] +first-moment .* dropped");
        assertThat(Cli.run("show", run.toString(), "--json").json().findValuesAsText("dropped"))
                .containsExactly("false", "true", "false");
        assertThat(Cli.run("show", run + "@10").out())
                .as("a base is exact")
                .containsPattern("first-moment +1 tensor, lossless, exact")
                .doesNotContain("dropped");
    }

    @Test
    void rolesAreShownWholeInEightyColumns() throws IOException {
        var named = new ArrayList<LiveTensor>();
        for (Role role : Role.values()) {
            MemorySegment values = Arena.ofAuto().allocate(4000);
            named.add(LiveTensor.of(
                    "encoder.layers.11.attention.output.dense.weight." + role.label(),
                    role,
                    ElementType.FLOAT32,
                    values,
                    10,
                    10,
                    10));
        }
        Path wide = folder.resolve("wide");
        var options = CheckpointOptions.defaults().withCodec(Codec.parse("lossy"));
        try (Checkpoints checkpoints = Checkpoints.open(wide, options)) {
            TrainingState state = TrainingState.of(named.toArray(LiveTensor[]::new));
            checkpoints.saveNow(10, state);
        }
        List<String> lines = Cli.run("show", wide.toString()).out().lines().toList();
        assertThat(lines).allMatch(line -> line.length() <= 80);
        for (Role role : Role.values()) {
            assertThat(lines)
                    .anySatisfy(line -> assertThat(line).startsWith("encoder").contains(" " + role.label() + " "));
        }
    }

    @Test
    void tablesFitEightyColumns() {
        assertThat(Cli.run("show", run.toString()).out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void passesOverANewestRecordThatDoesNotRead() throws IOException {
        SmallRun.damage(run.record(2));
        Cli shown = Cli.run("show", run.toString(), "--json");
        assertThat(shown.code()).isZero();
        assertThat(shown.json().path("step").asLong()).isEqualTo(20);
        assertThat(shown.err().lines())
                .singleElement()
                .asString()
                .contains("skipped a checkpoint that cannot be read: ", "log/");
    }

    @Test
    void aBrokenChainIsToldWithExitCodeThree() throws IOException {
        SmallRun.damage(run.record(0));
        Cli shown = Cli.run("show", run.toString());
        assertThat(shown.code()).isEqualTo(3);
        assertThat(shown.out()).contains("restore  impossible", "chain broken");
    }

    @Test
    void aStepThatIsNotThereIsWrongUsage() {
        Cli shown = Cli.run("show", run + "@25");
        assertThat(shown.code()).isEqualTo(2);
        assertThat(shown.err()).contains("no checkpoint of step 25", "10, 20, 30");
        assertThat(Cli.run("show", run + "@soon").err()).contains("'soon' is neither a step nor 'best'");
    }
}
