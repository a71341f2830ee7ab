package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.points.Millis;
import dev.cairn.dashboard.points.Window;
import dev.cairn.dashboard.run.RunView;
import dev.cairn.dashboard.story.Attempt;
import dev.cairn.dashboard.story.Failure;
import dev.cairn.dashboard.story.IntervalChoice;
import dev.cairn.dashboard.story.Save;
import dev.cairn.dashboard.story.Story;
import dev.cairn.observe.events.RecordedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Everything that the page of one run shows, but for the checkpoints that it has now.
public final class RunDocument {
    /// The newest happenings that a page lists.
    private static final int MOST_HAPPENINGS = 200;

    private static final int FEW = 10;
    private static final Set<String> NOT_TOLD = Set.of("settings", "event", "time");

    /// What failures tell better, and what happens after each save.
    private static final Set<String> UNIMPORTANT = Set.of("copied", "wentBack", "recovered");

    private final RunView run;
    private final Story story;
    private final List<Failure> failures;

    private RunDocument(RunView run) {
        this.run = run;
        this.story = run.story();
        this.failures = story.failures(run.isAlive(), run.now().toEpochMilli());
    }

    /// The document of the part of the time that a page shows.
    ///
    /// @param from in milliseconds since 1970; empty for the beginning
    /// @param to the same; empty for the end
    /// @param columns how many columns of points the page has
    public static ObjectNode of(RunView run, Optional<Long> from, Optional<Long> to, int columns) {
        return new RunDocument(run).document(from, to, columns);
    }

    private ObjectNode document(Optional<Long> from, Optional<Long> to, int columns) {
        long begin = story.firstTime().orElse(run.now().toEpochMilli());
        long end = Math.max(
                begin,
                run.isAlive() ? run.now().toEpochMilli() : story.lastTime().orElse(begin));
        var window = new Window(from.orElse(begin), to.orElse(end), columns);
        ObjectNode document = outline(run);
        document.put("now", run.now().toEpochMilli() / 1e3)
                .put("epoch", story.epoch())
                .put("begin", begin / 1e3)
                .put("end", end / 1e3)
                .put("filesRead", story.filesRead())
                .put("files", story.files());
        document.set("settings", settings());
        document.set("facts", facts());
        document.set("attempts", attempts());
        document.set("lanes", new Lanes(story, window).document(failures));
        document.set("happened", happened());
        return document;
    }

    /// What a list of runs says of each.
    static ObjectNode outline(RunView run) {
        Story story = run.story();
        ObjectNode document = Numbers.object()
                .put("id", run.id())
                .put("name", run.name())
                .put("place", run.place())
                .put("state", run.state().name().toLowerCase(Locale.ROOT))
                .put("version", run.version())
                .put("step", story.step())
                .put("steps", story.steps())
                .put("last", story.lastTime().orElse(0L) / 1e3);
        double remaining = run.isAlive() ? story.secondsPerStep() * (story.steps() - story.step()) : Double.NaN;
        Numbers.put(document, "remainingSeconds", Math.max(0, remaining));
        return document;
    }

    private ObjectNode settings() {
        ObjectNode object = Numbers.object();
        for (Map.Entry<String, @Nullable Object> setting : story.settings().entrySet()) {
            value(object, setting.getKey(), setting.getValue());
        }
        return object;
    }

    private static void value(ObjectNode object, String key, @Nullable Object value) {
        switch (value) {
            case null -> object.putNull(key);
            case Long number -> object.put(key, number);
            case Double number -> Numbers.put(object, key, number);
            case Boolean flag -> object.put(key, flag);
            default -> object.put(key, value.toString());
        }
    }

    private ObjectNode facts() {
        List<Save> saves = story.saves();
        ObjectNode facts = Numbers.object();
        Optional<Save> last =
                saves.stream().filter(save -> !save.kind().equals("merged")).reduce((_, later) -> later);
        last.ifPresent(save -> facts.putObject("lastSave")
                .put("t", save.time() / 1e3)
                .put("step", save.step())
                .put("bytes", save.storedBytes()));
        if (last.isPresent()) {
            long steps = Math.max(0, story.step() - last.get().step());
            facts.put("riskSteps", steps);
            Numbers.put(facts, "riskSeconds", steps * story.secondsPerStep());
        }
        List<IntervalChoice> choices = story.choices();
        if (!choices.isEmpty()) {
            facts.putObject("interval")
                    .put("seconds", choices.getLast().seconds())
                    .put("followed", choices.getLast().followed())
                    .put("reason", choices.getLast().reason());
        }
        Numbers.put(facts, "everySeconds", everySeconds());
        Numbers.put(facts, "secondsPerStep", story.secondsPerStep());
        facts.put("saves", saves.size())
                .put("writtenBytes", saves.stream().mapToLong(Save::storedBytes).sum())
                .put("fullBytes", saves.stream().mapToLong(Save::fullBytes).sum())
                .put(
                        "stallSeconds",
                        saves.stream()
                                .mapToDouble(Save::stallSeconds)
                                .filter(Double::isFinite)
                                .sum())
                .put("trainedSeconds", story.trainedSeconds())
                .put("failures", failures.size())
                .put("isOpen", !failures.isEmpty() && failures.getLast().isOpen())
                .put(
                        "stepsLost",
                        failures.stream()
                                .mapToLong(failure -> Math.max(0, failure.stepsLost()))
                                .sum());
        return facts;
    }

    /// The mean time between the newest checkpoints of the newest start; NaN if there are none.
    private double everySeconds() {
        List<Save> newest = story.last().map(Attempt::saves).orElse(List.of()).stream()
                .filter(save -> !save.kind().equals("merged"))
                .toList();
        int last = newest.size() - 1;
        int first = Math.max(0, last - FEW);
        return last <= first
                ? Double.NaN
                : (newest.get(last).time() - newest.get(first).time()) / 1e3 / (last - first);
    }

    private ArrayNode attempts() {
        ArrayNode list = Numbers.array();
        for (Attempt attempt : story.attempts()) {
            list.addObject()
                    .put("number", attempt.number())
                    .put("process", attempt.process())
                    .put("host", attempt.host())
                    .put("begin", attempt.begin())
                    .put("from", attempt.begunTime() / 1e3)
                    .put("to", attempt.lastTime() / 1e3)
                    .put("outcome", attempt.outcome().orElse(null));
        }
        return list;
    }

    /// The newest first. An item is an event as it was recorded, or a failure.
    private ArrayNode happened() {
        record Item(double time, ObjectNode node) {}
        var items = new ArrayList<Item>();
        for (RecordedEvent note : story.notes()) {
            if (!UNIMPORTANT.contains(note.kind())) {
                ObjectNode node = Numbers.object().put("kind", note.kind()).put("t", time(note));
                note.values().forEach((key, value) -> {
                    if (!NOT_TOLD.contains(key)) {
                        value(node, key.equals("kind") ? "saveKind" : key, value);
                    }
                });
                items.add(new Item(time(note), node));
            }
        }
        for (Failure failure : failures) {
            ObjectNode node = Lanes.failure(story, failure);
            node.put("failure", failure.kind().name().toLowerCase(Locale.ROOT))
                    .put("kind", "failure")
                    .put("t", failure.from() / 1e3);
            items.add(new Item(failure.from() / 1e3, node));
        }
        double before = Double.NaN;
        for (IntervalChoice choice : story.choices()) {
            if (!choice.followed() && Double.isFinite(before)) {
                continue; // its user set an interval: what the automatic one would be now is no news
            }
            ObjectNode node = Numbers.object()
                    .put("kind", "interval")
                    .put("t", choice.time() / 1e3)
                    .put("step", choice.step())
                    .put("seconds", choice.seconds())
                    .put("followed", choice.followed())
                    .put("reason", choice.reason());
            Numbers.put(node, "before", before);
            before = choice.seconds();
            items.add(new Item(choice.time() / 1e3, node));
        }
        story.saves().stream()
                .filter(save -> !save.kind().equals("merged"))
                .reduce((_, later) -> later)
                .ifPresent(save -> items.add(new Item(save.time() / 1e3, saved(save))));
        items.sort((one, other) -> Double.compare(other.time(), one.time()));
        ArrayNode list = Numbers.array();
        items.stream().limit(MOST_HAPPENINGS).forEach(item -> list.add(item.node()));
        return list;
    }

    private static ObjectNode saved(Save save) {
        ObjectNode node = Numbers.object()
                .put("kind", "committed")
                .put("t", save.time() / 1e3)
                .put("step", save.step())
                .put("storedBytes", save.storedBytes())
                .put("saveKind", save.kind());
        Numbers.put(node, "stallSeconds", save.stallSeconds());
        Numbers.put(node, "persistSeconds", save.persistSeconds());
        return node;
    }

    private static double time(RecordedEvent event) {
        return Millis.of(event.time()) / 1e3;
    }
}
