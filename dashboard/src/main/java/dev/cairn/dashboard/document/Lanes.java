package dev.cairn.dashboard.document;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Thinning;
import dev.cairn.dashboard.points.Window;
import dev.cairn.dashboard.story.Failure;
import dev.cairn.dashboard.story.IntervalChoice;
import dev.cairn.dashboard.story.MachineUse;
import dev.cairn.dashboard.story.MachineUse.Figure;
import dev.cairn.dashboard.story.Save;
import dev.cairn.dashboard.story.Score;
import dev.cairn.dashboard.story.Story;
import dev.cairn.dashboard.story.Stretch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// What the lanes of a chart show in a window of time: few enough points for its columns.
final class Lanes {
    private final Story story;
    private final Window window;

    Lanes(Story story, Window window) {
        this.story = story;
        this.window = window;
    }

    ObjectNode document(List<Failure> failures) {
        ObjectNode document = Numbers.object();
        document.set("loss", loss());
        document.set("scores", scores());
        document.set("saves", saves());
        document.set("choices", choices());
        document.set("failures", failures(failures));
        document.set("gaps", gaps());
        document.set("machines", machines());
        return document;
    }

    /// One list of stretches for each process. Steps that were made again later are of stretches marked `lost`.
    private ArrayNode loss() {
        ArrayNode list = Numbers.array();
        for (String process : story.processes()) {
            ObjectNode worker = list.addObject().put("process", process);
            ArrayNode stretches = worker.putArray("stretches");
            for (Stretch stretch : story.losses(process)) {
                add(stretches, Thinning.of(stretch.loss(), window, step -> step <= stretch.limit()), false);
                if (stretch.limit() != Long.MAX_VALUE) {
                    add(stretches, Thinning.of(stretch.loss(), window, step -> step > stretch.limit()), true);
                }
            }
        }
        return list;
    }

    private static void add(ArrayNode stretches, Curve curve, boolean lost) {
        if (curve.size() > 0) {
            stretches.add(Numbers.curveBySteps(curve).put("lost", lost));
        }
    }

    private ObjectNode scores() {
        List<Score> all = story.scores();
        ObjectNode object = Numbers.object();
        object.put("measure", all.isEmpty() ? "" : all.getLast().measure());
        var curve = new Curve();
        for (Score score : all) {
            curve.add(score.time(), score.step(), score.score());
        }
        object.setAll(Numbers.curveBySteps(Thinning.of(curve, window)));
        return object;
    }

    /// The largest of each kind in a column, as one list for each key. Each base and merge of a column counts as one of
    /// its kind. `in` is how many checkpoints a mark stands for.
    private ObjectNode saves() {
        record Mark(int column, String kind) {}
        var marks = new HashMap<Mark, Save>();
        var counts = new HashMap<Mark, Integer>();
        for (Save save : story.saves()) {
            if (window.has(save.time())) {
                var mark = new Mark(window.column(save.time()), save.kind());
                marks.merge(mark, save, (one, other) -> one.storedBytes() >= other.storedBytes() ? one : other);
                counts.merge(mark, 1, Integer::sum);
            }
        }
        ObjectNode object = Numbers.object();
        ArrayNode times = object.putArray("t");
        ArrayNode steps = object.putArray("s");
        ArrayNode bytes = object.putArray("bytes");
        ArrayNode kinds = object.putArray("kind");
        ArrayNode stalls = object.putArray("stall");
        ArrayNode persists = object.putArray("persist");
        ArrayNode in = object.putArray("in");
        marks.entrySet().stream()
                .sorted(Map.Entry.comparingByValue((one, other) -> Long.compare(one.time(), other.time())))
                .forEach(entry -> {
                    Save save = entry.getValue();
                    times.add(save.time() / 1e3);
                    steps.add(save.step());
                    bytes.add(save.storedBytes());
                    kinds.add(save.kind());
                    Numbers.add(stalls, save.stallSeconds());
                    Numbers.add(persists, save.persistSeconds());
                    in.add(counts.getOrDefault(entry.getKey(), 1));
                });
        return object;
    }

    private ArrayNode choices() {
        ArrayNode list = Numbers.array();
        int column = -1;
        for (IntervalChoice choice : story.choices()) {
            if (window.has(choice.time()) && window.column(choice.time()) != column) {
                column = window.column(choice.time());
                list.addObject()
                        .put("t", choice.time() / 1e3)
                        .put("step", choice.step())
                        .put("seconds", choice.seconds())
                        .put("followed", choice.followed())
                        .put("reason", choice.reason());
            }
        }
        return list;
    }

    private ArrayNode failures(List<Failure> failures) {
        ArrayNode list = Numbers.array();
        for (Failure failure : failures) {
            if (failure.to() >= window.from() && failure.from() <= window.to()) {
                list.add(failure(story, failure));
            }
        }
        return list;
    }

    static ObjectNode failure(Story story, Failure failure) {
        ObjectNode object = Numbers.object()
                .put("kind", failure.kind().name().toLowerCase(Locale.ROOT))
                .put("from", failure.from() / 1e3)
                .put("to", failure.to() / 1e3)
                .put("who", failure.who())
                .put("step", failure.step())
                .put("stepsLost", failure.stepsLost())
                .put("resumedStep", failure.resumedStep())
                .put("open", failure.isOpen())
                .put("whole", story.endedAll(failure))
                .put("reason", failure.reason());
        OptionalLong line = story.recoveryLine(failure);
        if (line.isPresent()) {
            object.put("line", line.getAsLong() / 1e3);
        }
        return object;
    }

    /// The times between attempts, in which nobody trained.
    private ArrayNode gaps() {
        ArrayNode list = Numbers.array();
        long last = Long.MAX_VALUE;
        for (var attempt : story.attempts()) {
            if (attempt.begunTime() > last) {
                list.addArray().add(last / 1e3).add(attempt.begunTime() / 1e3);
            }
            last = last == Long.MAX_VALUE ? attempt.lastTime() : Math.max(last, attempt.lastTime());
        }
        return list;
    }

    private ArrayNode machines() {
        ArrayNode list = Numbers.array();
        Set<String> hosts = new LinkedHashSet<>();
        story.machines().forEach(machine -> hosts.add(machine.host()));
        for (String host : hosts) {
            List<MachineUse> recorded = story.machines().stream()
                    .filter(machine -> machine.host().equals(host))
                    .toList();
            ObjectNode object = list.addObject()
                    .put("host", host)
                    .put("cores", recorded.getLast().cores());
            for (Figure figure : Figure.values()) {
                var curves = new ArrayList<Curve>();
                recorded.forEach(machine -> curves.add(machine.figure(figure)));
                object.set(figure.name().toLowerCase(Locale.ROOT), joined(curves));
            }
            Set<String> names = new HashSet<>();
            recorded.forEach(machine -> names.addAll(machine.processes().keySet()));
            ArrayNode processes = object.putArray("processes");
            for (String name : names.stream().sorted().toList()) {
                var cores = new ArrayList<Curve>();
                var memory = new ArrayList<Curve>();
                for (MachineUse machine : recorded) {
                    cores.add(machine.processes().getOrDefault(name, new Curve()));
                    memory.add(machine.memory().getOrDefault(name, new Curve()));
                }
                ObjectNode process = processes.addObject().put("process", name);
                process.set("cpu", joined(cores));
                process.set("memory", joined(memory));
            }
        }
        return list;
    }

    /// The curves one after the other, with gaps between them.
    private ObjectNode joined(List<Curve> curves) {
        var whole = new Curve();
        for (Curve curve : curves) {
            Curve thinned = Thinning.of(curve, window);
            if (whole.size() > 0 && thinned.size() > 0) {
                whole.add(thinned.time(0), 0, Float.NaN);
            }
            for (int i = 0; i < thinned.size(); i++) {
                whole.add(thinned.time(i), 0, thinned.value(i));
            }
        }
        return Numbers.curve(whole);
    }
}
