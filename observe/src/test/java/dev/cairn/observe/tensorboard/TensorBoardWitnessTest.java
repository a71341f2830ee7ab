package dev.cairn.observe.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Begin;
import dev.cairn.store.Attributes;
import dev.cairn.store.Clock;
import dev.cairn.testkit.Command;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real TensorBoard as a witness: its two Python readers and its server draw a killed and resumed training once.
/// It is the one of the Python that `CAIRN_PYTHON` names, or of a virtual environment in the user's cache folder, which
/// is created once.
@Tag("python")
class TensorBoardWitnessTest {
    private static final Instant TIME = Instant.parse("2026-11-18T10:00:00Z");
    private static final List<Long> STEPS = List.of(1L, 100L, 200L, 300L, 400L, 500L, 538L, 600L, 700L);

    @TempDir
    Path run;

    @Test
    void tensorBoardReadsWhatWeWroteAndDropsWhatIsSuperseded() throws IOException, URISyntaxException {
        attempt(Begin.NEW, 0, 950, 1);
        attempt(Begin.RESUMED, 537, 700, 2);
        JsonNode found = new ObjectMapper().readTree(witness());

        EventReader ours = EventReader.of(run.resolve("tensorboard/w0"));
        assertThat(ours.steps("train/loss")).isEqualTo(STEPS);
        JsonNode accumulator = found.path("accumulator");
        ours.scalars.forEach((tag, points) -> {
            for (String reader : List.of("accumulator", "served")) {
                var read = new ArrayList<EventReader.Point>();
                found.path(reader)
                        .path("scalars")
                        .path(tag)
                        .forEach(point -> read.add(new EventReader.Point(
                                point.path(0).asLong(), 0, point.path(1).floatValue())));
                assertThat(read)
                        .as("%s %s", reader, tag)
                        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("wallTime")
                        .containsExactlyElementsOf(points);
            }
        });
        assertThat(steps(accumulator.path("histograms").path("weights/fc1")))
                .contains(1L, 538L)
                .isEqualTo(ours.histograms("weights/fc1").stream()
                        .map(EventReader.Shape::step)
                        .toList());
        JsonNode shape = accumulator.path("histograms").path("weights/fc1").get(0);
        assertThat(shape.get(1).asDouble()).isEqualTo(-1);
        assertThat(shape.get(2).asDouble()).isEqualTo(2);
        assertThat(shape.get(3).asDouble()).isEqualTo(3);

        JsonNode text = found.path("multiplexer").path("settings");
        assertThat(text.path("plugin").asText()).isEqualTo("text");
        assertThat(text.path("text").asText()).contains("| batch | 64 |");
        assertThat(text.path("steps")).extracting(JsonNode::asLong).containsExactly(1L, 538L);
        assertThat(found.path("multiplexer").path("weights/fc1").path("plugin").asText())
                .isEqualTo("histograms");
        assertThat(found.path("served").path("histograms").has("weights/fc1")).isTrue();
        assertThat(found.path("served").path("texts"))
                .extracting(JsonNode::asText)
                .contains("settings");
    }

    private static List<Long> steps(JsonNode values) {
        var steps = new ArrayList<Long>();
        values.forEach(value -> steps.add(value.path(0).asLong()));
        return steps;
    }

    private void attempt(Begin begin, long from, long to, int number) {
        try (var log = new TensorBoardLog(
                new CurveFolder.InRun(run), "w0", 100, Clock.system(), trouble -> {}, Duration.ofMinutes(5))) {
            log.watch(() -> List.of(LiveTensor.weight("fc1", new float[] {-1, 0.5f, 2})));
            Attributes settings = Attributes.empty().with("batch", 64L);
            log.on(new TrainingEvent.Started(TIME, begin, from, to, 0, "accuracy", Double.NaN, settings));
            for (long step = from + 1; step <= to; step++) {
                log.on(new TrainingEvent.StepMade(TIME.plusSeconds(step), step, 0, number + 1.0 / step, 0.25, 64));
                if (step % 100 == 0) {
                    log.on(new TrainingEvent.Scored(
                            TIME.plusSeconds(step), step, "accuracy", 0.5, 1, 0.5, step, 10, Duration.ZERO));
                }
            }
        }
    }

    private String witness() throws IOException, URISyntaxException {
        String given = System.getenv("CAIRN_PYTHON");
        Path interpreter = given == null ? environment() : Path.of(given);
        Path script =
                Path.of(Objects.requireNonNull(TensorBoardWitnessTest.class.getResource("/tensorboard_witness.py"))
                        .toURI());
        return run(List.of(
                interpreter.toString(),
                script.toString(),
                run.resolve("tensorboard").toString()));
    }

    private static Path environment() throws IOException {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path folder = (cache == null || cache.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache))
                .resolve("cairn/tensorboard-1");
        Path interpreter = folder.resolve("bin/python");
        Path complete = folder.resolve("complete");
        if (!Files.exists(complete)) {
            Files.createDirectories(folder);
            run(List.of("python3", "-m", "venv", "--clear", folder.toString()));
            run(List.of(interpreter.toString(), "-m", "pip", "install", "--quiet", "tensorboard"));
            Files.createFile(complete);
        }
        return interpreter;
    }

    private static String run(List<String> words) throws IOException {
        Command.Ended ended = Command.of(words).run();
        if (ended.code() != 0) {
            throw new IOException("failed: " + String.join(" ", words) + ": " + ended.err()
                    + "; the tests with Python need python3 with its venv module, and a network for pip");
        }
        return ended.out();
    }
}
