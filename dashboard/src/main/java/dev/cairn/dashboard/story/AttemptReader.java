package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Millis;
import dev.cairn.observe.events.RecordedEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes the events of one process in one attempt, in their order. What it does not know becomes a note.
final class AttemptReader implements Consumer<RecordedEvent> {
    /// More notes than anybody reads: the first ones and the last ones stay.
    private static final int MOST_NOTES = 2000;

    private final Attempt attempt;
    private Curve loss = new Curve();
    private final List<Curve> curves = new ArrayList<>(List.of(loss));
    private final List<Long> wentBackTo = new ArrayList<>();
    private @Nullable IntervalChoice chosen;

    AttemptReader(long number, String process) {
        this.attempt = new Attempt(number, process);
    }

    @Override
    public void accept(RecordedEvent event) {
        long time = Millis.of(event.time());
        // The header is written with the first lines, so some of them are older.
        attempt.begunTime = attempt.begunTime == 0 ? time : Math.min(attempt.begunTime, time);
        attempt.lastTime = Math.max(attempt.lastTime, time);
        switch (event.kind()) {
            case "attempt" -> {
                attempt.host = event.text("host").orElse("");
                attempt.pid = (long) event.number("pid").orElse(0);
            }
            case "started" -> started(event, time);
            case "step" -> step(event, time);
            case "scored" -> scored(event, time);
            case "committed" -> committed(event, time);
            case "merged" -> {
                attempt.saves.add(save(event, time));
                note(event);
            }
            case "wentBack" -> wentBack(event);
            case "ended" -> {
                attempt.ended = event;
                note(event);
            }
            default -> note(event);
        }
    }

    private void started(RecordedEvent event, long time) {
        attempt.startedTime = time;
        attempt.startedStep = event.step().orElse(0);
        attempt.begin = event.text("begin").orElse("");
        attempt.steps = (long) event.number("steps").orElse(0);
        attempt.measure = event.text("measure").orElse("");
        attempt.supersedes = attempt.begin.equals("resumed") ? attempt.startedStep : Attempt.ALL;
        if (event.values().get("settings") instanceof Map<?, ?> settings) {
            var known = new LinkedHashMap<String, @Nullable Object>();
            settings.forEach((name, value) -> known.put(String.valueOf(name), value));
            attempt.settings = known;
        }
        note(event);
    }

    private void step(RecordedEvent event, long time) {
        long step = event.step().orElse(0);
        attempt.firstStepTime = attempt.firstStepTime == 0 ? time : attempt.firstStepTime;
        attempt.lastStep = step;
        attempt.lastEpoch = (long) event.number("epoch").orElse(0);
        loss.add(time, step, event.number("loss").orElse(Double.NaN));
    }

    private void scored(RecordedEvent event, long time) {
        attempt.scores.add(new Score(
                time,
                event.step().orElse(0),
                event.text("measure").orElse(attempt.measure),
                event.number("score").orElse(Double.NaN),
                event.number("testLoss").orElse(Double.NaN)));
    }

    private void committed(RecordedEvent event, long time) {
        attempt.saves.add(save(event, time));
        double seconds = event.number("intervalSeconds").orElse(Double.NaN);
        if (Double.isNaN(seconds)) {
            return;
        }
        boolean followed = Boolean.TRUE.equals(event.values().get("intervalFollowed"));
        if (chosen == null || chosen.seconds() != seconds || chosen.followed() != followed) {
            chosen = new IntervalChoice(
                    time,
                    event.step().orElse(0),
                    seconds,
                    followed,
                    event.text("intervalReason").orElse(""));
            attempt.choices.add(chosen);
        }
    }

    private static Save save(RecordedEvent event, long time) {
        return new Save(
                time,
                event.step().orElse(0),
                event.text("kind").orElse("").intern(),
                event.text("codec").orElse("").intern(),
                (long) event.number("storedBytes").orElse(0),
                (long) event.number("fullBytes").orElse(0),
                event.number("stallSeconds").orElse(Double.NaN),
                event.number("persistSeconds").orElse(Double.NaN));
    }

    private void wentBack(RecordedEvent event) {
        long step = event.step().orElse(0);
        attempt.supersedes = Math.min(attempt.supersedes, step);
        wentBackTo.add(step);
        loss = new Curve();
        curves.add(loss);
        note(event);
    }

    private void note(RecordedEvent event) {
        if (attempt.notes.size() >= MOST_NOTES) {
            attempt.notes.remove(MOST_NOTES / 2);
        }
        attempt.notes.add(event);
    }

    Attempt done() {
        long limit = Attempt.NONE;
        var stretches = new ArrayList<Stretch>();
        for (int i = curves.size() - 1; i >= 0; i--) {
            limit = i < wentBackTo.size() ? Math.min(limit, wentBackTo.get(i)) : limit;
            stretches.add(new Stretch(curves.get(i).trimmed(), limit));
        }
        attempt.stretches = stretches.reversed();
        return attempt;
    }
}
