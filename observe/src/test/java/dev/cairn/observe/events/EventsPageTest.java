package dev.cairn.observe.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.checkpoint.StateDifference;
import dev.cairn.checkpoint.WeightError;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.store.Attributes;
import dev.cairn.store.DamagedException;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/EVENTS.md` names the kinds and keys that the code writes, and no others.
class EventsPageTest {
    private static final Pattern QUOTED = Pattern.compile("`([A-Za-z]+)`");
    private static final Duration TIME = Duration.ofSeconds(1);

    @TempDir
    Path run;

    @Test
    void thePageNamesTheKindsAndKeysThatAreWritten() throws IOException {
        var written = new TreeMap<String, Set<String>>();
        add(written, attempt());
        trainingEvents().forEach(event -> add(written, EventJson.of(event)));
        checkpointEvents().forEach(event -> add(written, EventJson.of(Samples.checkpointed(event))));
        assertThat(page()).isEqualTo(written);
    }

    @Test
    void everyTypeOfEventIsWrittenHere() {
        assertThat(trainingEvents())
                .extracting(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(Stream.of(TrainingEvent.class.getPermittedSubclasses())
                        .filter(type -> type != TrainingEvent.Checkpointed.class)
                        .collect(Collectors.toSet()));
        assertThat(checkpointEvents())
                .extracting(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(Set.of(CheckpointEvent.class.getPermittedSubclasses()));
    }

    private static void add(Map<String, Set<String>> kinds, JsonNode line) {
        var keys = new TreeSet<String>();
        line.fieldNames().forEachRemaining(keys::add);
        assertThat(keys).contains("event", "time");
        keys.removeAll(Set.of("event", "time")); // The page names these once for all kinds.
        kinds.put(line.get("event").textValue(), keys);
    }

    private JsonNode attempt() throws IOException {
        Samples.record(new LocalBlobStore(run), TrainingEvent.Begin.NEW, 0, 1);
        return new ObjectMapper()
                .readTree(Files.readAllLines(run.resolve("events/0000000001-w0.jsonl"))
                        .getFirst());
    }

    /// The table of kinds: each kind with its keys.
    private static Map<String, Set<String>> page() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/EVENTS.md"));
        int table = lines.indexOf("| `event` | when | keys beside `time` |");
        assertThat(table).isPositive();
        var kinds = new TreeMap<String, Set<String>>();
        for (String row : lines.subList(table + 2, lines.size())) {
            if (!row.startsWith("|")) {
                break;
            }
            String[] cells = row.split("\\|", -1);
            Set<String> keys = quoted(cells[3]);
            for (String group : List.of("checkpoint keys", "copy keys")) {
                if (cells[3].contains(group)) {
                    keys.addAll(group(lines, group));
                }
            }
            kinds.put(quoted(cells[1]).iterator().next(), keys);
        }
        return kinds;
    }

    private static Set<String> group(List<String> lines, String name) {
        String start = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + ": ";
        String line = lines.stream()
                .filter(text -> text.startsWith(start))
                .findFirst()
                .orElseThrow();
        return quoted(line.replaceFirst(", as in .*", ""));
    }

    /// The words in backticks. Those in parentheses are values.
    private static Set<String> quoted(String text) {
        return QUOTED.matcher(text.replaceAll("\\([^)]*\\)", ""))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<TrainingEvent> trainingEvents() {
        return List.of(
                Samples.started(TrainingEvent.Begin.NEW, 0),
                Samples.step(1),
                new TrainingEvent.Scored(Samples.TIME, 1, "accuracy", 0.5, 1, 0.5, 1, 1000, TIME),
                new TrainingEvent.Warned(Samples.TIME, 1, "deadUnits", "message"),
                new TrainingEvent.WentBack(Samples.TIME, 1, 2, "reason", 0.01),
                new TrainingEvent.Recovered(Samples.TIME, 1, "w1", "died", TIME, TIME, 0, "peer"),
                new TrainingEvent.Worked(
                        Samples.TIME,
                        1,
                        "w1",
                        1,
                        64,
                        0.5,
                        TIME,
                        TIME,
                        OptionalLong.of(1),
                        OptionalLong.empty(),
                        0.5,
                        1.5,
                        3),
                new TrainingEvent.Ended(Samples.TIME, 1, TrainingEvent.Outcome.FAILED, 0.1, "reason"));
    }

    private static List<CheckpointEvent> checkpointEvents() {
        var attributes = Attributes.empty()
                .with("cairn.failures", 0L)
                .with("cairn.intervalFollowed", true)
                .with("cairn.last", false)
                .with("cairn.uptimeSeconds", 10.0)
                .with("cairn.intervalSeconds", 1.0)
                .with("cairn.failureMeanSeconds", 100.0)
                .with("cairn.intervalLimit", "unknown")
                .with("cairn.intervalChange", "first");
        Checkpoint checkpoint = Checkpoint.of(
                new Commit(1, "00", 1, Samples.TIME, null, "lossless", "", 0, 4000, attributes, List.of()));
        var damage = new DamagedException("file", "reason");
        return List.of(
                new CheckpointEvent.Committed(checkpoint, TIME, TIME, WeightError.NONE, Optional.empty()),
                new CheckpointEvent.TooCoarse(1, new Codec.Uniform(0.5), CheckpointEvent.Remedy.FINER, 1),
                new CheckpointEvent.SaveFailed(1, damage),
                new CheckpointEvent.SaveSkipped(2, 1, 1),
                new CheckpointEvent.BestNotSaved(1, 0.05),
                new CheckpointEvent.SaveAborted(1),
                new CheckpointEvent.Merged(checkpoint, 9, TIME),
                new CheckpointEvent.Pruned(List.of(checkpoint)),
                new CheckpointEvent.HousekeepingFailed(1, damage),
                new CheckpointEvent.ChainInDoubt(checkpoint, damage),
                new CheckpointEvent.PassedOver(1, OptionalLong.of(1), damage),
                new CheckpointEvent.Healed(damage, "its parity"),
                new CheckpointEvent.Rewritten(damage, "its parity"),
                new CheckpointEvent.DamageFound(damage),
                new CheckpointEvent.ScrubFailed(damage),
                new CheckpointEvent.Restored(checkpoint, false, TIME),
                new CheckpointEvent.RestoredInPart(checkpoint, StateDifference.between(List.of(), List.of())),
                new CheckpointEvent.Forked("run", checkpoint, false, TIME),
                new CheckpointEvent.Copied(checkpoint, TIME, CopyLag.NONE),
                new CheckpointEvent.CopyFailed(damage, CopyLag.NONE),
                new CheckpointEvent.CopyAhead(checkpoint),
                new CheckpointEvent.CopyPassedOver(1, OptionalLong.of(1), damage),
                new CheckpointEvent.Fetched(checkpoint, TIME));
    }
}
