package dev.cairn.observe.events;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingEvent.Ended;
import dev.cairn.observe.TrainingEvent.Recovered;
import dev.cairn.observe.TrainingEvent.Scored;
import dev.cairn.observe.TrainingEvent.Started;
import dev.cairn.observe.TrainingEvent.StepMade;
import dev.cairn.observe.TrainingEvent.Warned;
import dev.cairn.observe.TrainingEvent.WentBack;
import dev.cairn.observe.TrainingEvent.Worked;
import dev.cairn.store.Attributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Converts events to JSON. `docs/EVENTS.md` describes every kind and key, and `EventsPageTest` compares the two.
final class EventJson {
    /// The maximum length of a text. Longer texts, such as a message that quotes a malicious file, are truncated.
    private static final int LONGEST_TEXT = 2000;

    private static final double NANOS_PER_SECOND = 1e9;

    private EventJson() {}

    static ObjectNode of(TrainingEvent event) {
        ObjectNode line = switch (event) {
            case Started started -> started(started);
            case StepMade made -> {
                ObjectNode step =
                        line(EventKinds.STEP, made.time(), made.step()).put("epoch", made.epoch());
                number(step, "loss", made.loss());
                number(step, "rate", made.rate());
                yield step.put("examples", made.examples());
            }
            case Scored scored -> scored(scored);
            case Warned warned -> text(line("warned", warned.time(), warned.step()), "about", warned.about());
            case WentBack back -> {
                ObjectNode went =
                        line(EventKinds.WENT_BACK, back.time(), back.step()).put("fromStep", back.fromStep());
                number(went, "rate", back.rate());
                yield text(went, "reason", back.reason());
            }
            case TrainingEvent.Checkpointed(Instant time, var about) -> CheckpointJson.of(time, about);
            case Recovered recovered -> recovered(recovered);
            case Worked worked -> worked(worked);
            case Ended ended -> {
                ObjectNode end =
                        line(EventKinds.ENDED, ended.time(), ended.step()).put("outcome", label(ended.outcome()));
                number(end, "loss", ended.loss());
                yield ended.reason().isEmpty() ? end : text(end, "reason", ended.reason());
            }
        };
        return event instanceof Warned warned ? text(line, "message", warned.message()) : line;
    }

    private static ObjectNode started(Started started) {
        ObjectNode line = line(EventKinds.STARTED, started.time(), started.step())
                .put("begin", label(started.begin()))
                .put("steps", started.steps())
                .put("checkpoints", started.checkpoints());
        text(line, "measure", started.measure());
        number(line, "score", started.score());
        ObjectNode settings = line.putObject("settings");
        settings(settings, started.settings());
        return line;
    }

    private static void settings(ObjectNode object, Attributes settings) {
        settings.asMap().forEach((name, value) -> {
            switch (value) {
                case Long integer -> object.put(name, integer);
                case Double number -> number(object, name, number);
                case Boolean flag -> object.put(name, flag);
                case null -> object.putNull(name);
                default -> text(object, name, value.toString());
            }
        });
    }

    private static ObjectNode recovered(Recovered recovered) {
        return line(EventKinds.RECOVERED, recovered.time(), recovered.step())
                .put("worker", recovered.worker())
                .put("cause", recovered.cause())
                .put("detectedSeconds", seconds(recovered.detected()))
                .put("recoveredSeconds", seconds(recovered.recovered()))
                .put("stepsLost", recovered.stepsLost())
                .put("source", recovered.source());
    }

    private static ObjectNode worked(Worked worked) {
        ObjectNode line = line(EventKinds.WORKER, worked.time(), worked.step())
                .put("worker", worked.worker())
                .put("steps", worked.steps())
                .put("examples", worked.examples());
        number(line, "loss", worked.loss());
        line.put("seconds", seconds(worked.training())).put("waitSeconds", seconds(worked.waited()));
        integer(line, "sentBytes", worked.sentBytes());
        integer(line, "receivedBytes", worked.receivedBytes());
        number(line, "accuracy", worked.accuracy());
        number(line, "meanStaleness", worked.meanStaleness());
        return line.put("largestStaleness", worked.largestStaleness());
    }

    private static void integer(ObjectNode line, String key, OptionalLong value) {
        line.put(key, value.isPresent() ? (Long) value.getAsLong() : null);
    }

    private static ObjectNode scored(Scored scored) {
        ObjectNode line = line("scored", scored.time(), scored.step());
        text(line, "measure", scored.measure());
        number(line, "score", scored.score());
        number(line, "testLoss", scored.loss());
        number(line, "bestScore", scored.bestScore());
        return line.put("bestStep", scored.bestStep())
                .put("examples", scored.examples())
                .put("seconds", seconds(scored.duration()));
    }

    static ObjectNode line(String kind, Instant time) {
        return JsonNodeFactory.instance.objectNode().put("event", kind).put("time", time.toString());
    }

    static ObjectNode line(String kind, Instant time, long step) {
        return line(kind, time).put("step", step);
    }

    /// Puts a number, or null if it is not finite: JSON has neither NaN nor infinity.
    static void number(ObjectNode line, String key, double value) {
        if (Double.isFinite(value)) {
            line.put(key, value);
        } else {
            line.putNull(key);
        }
    }

    static ObjectNode text(ObjectNode line, String key, @Nullable String text) {
        return line.put(
                key, text == null || text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…");
    }

    static void integers(ObjectNode line, String key, List<Long> values) {
        ArrayNode list = line.putArray(key);
        values.forEach(list::add);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    /// Converts `EXACT` to `exact`.
    static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
