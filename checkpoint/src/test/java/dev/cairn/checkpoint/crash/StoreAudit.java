package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.check.StoreVerifier;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.retention.Candidate;
import dev.cairn.store.segment.SegmentName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Checks a run between two processes of its worker, and remembers what it saw: of all commits, those that retention
/// keeps must exist and have the same values, and other files must not accumulate.
final class StoreAudit {
    /// The segments of a save and of a merge, the temporary files of a record and of a twin, and a record, its twin and
    /// its segment that a merge replaced. Leftovers of a removal come in addition: they are counted with the run.
    private static final int MOST_LEFTOVERS = 7;

    /// If not everything is kept: the kept checkpoints with their parents, and those that collect until they are
    /// worth a record.
    private static final int MOST_CHECKPOINTS = 50;

    private static final Pattern ID_IN_RECORD = Pattern.compile("\"id\":\"([0-9a-f]{16})\"");

    private final CrashWorker.Plan plan;
    private final CheckpointStore store;
    private final boolean keepsAll;
    /// All known commits, by id.
    private final Map<String, Journal.Line> known = new HashMap<>();
    private final Set<String> checked = new HashSet<>();
    private final Map<Work, Integer> cutOff = new EnumMap<>(Work.class);
    private Set<String> leftovers = Set.of();
    private int mostFiles;

    /// The work that was running when a worker died, judged by what it left.
    enum Work {
        SAVE,
        MERGE,
        PRUNE
    }

    StoreAudit(CrashWorker.Plan plan) {
        this.plan = plan;
        this.store = new CheckpointStore(new LocalBlobStore(plan.run()));
        this.keepsAll = plan.keep().equals("all");
    }

    /// The total number of committed checkpoints.
    int seen() {
        return known.size();
    }

    /// How often something of this kind was left over.
    int cutOff(Work work) {
        return cutOff.getOrDefault(work, 0);
    }

    /// The maximum number of files that the run ever had.
    int mostFiles() {
        return mostFiles;
    }

    /// The files that belonged to nothing at the last check.
    Set<String> leftovers() {
        return leftovers;
    }

    /// @param context the place of a failure, for messages
    void check(String context) throws IOException {
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, checkpoint -> {});
        assertThat(report.damaged()).as(context).isEmpty();
        for (Journal.Line line : Journal.read(plan.journal())) {
            known.putIfAbsent(line.id(), line);
        }
        var found = new HashMap<String, Commit>();
        var named = new HashSet<>(Set.of("writer.lock"));
        for (Entry entry : store.entries()) {
            named.add(entry.file());
            named.add(RunFiles.twin(entry.number()));
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                found.put(checkpoint.id(), checkpoint);
                checkpoint.segments().forEach(segment -> named.add(segment.name()));
            }
        }
        for (Commit checkpoint : found.values()) {
            checkValues(context, checkpoint);
        }
        assertThat(found.keySet()).as("%s: what retention keeps", context).containsAll(wanted());
        checkFiles(context, found, named);
    }

    /// Checks that everything still has the same values.
    void checkEverything(String context) throws IOException {
        checked.clear();
        check(context);
    }

    private void checkValues(String context, Commit checkpoint) throws IOException {
        if (!checked.add(checkpoint.id())) {
            return;
        }
        SyntheticState state = plan.state();
        String digest = CrashWorker.digest(store, checkpoint, state);
        assertThat(plan.isRight(state, checkpoint.step()))
                .as("%s: number %d holds the state of step %d", context, checkpoint.number(), checkpoint.step())
                .isTrue();
        var now = new Journal.Line(checkpoint.id(), checkpoint.position(), checkpoint.step(), digest);
        assertThat(known.getOrDefault(checkpoint.id(), now))
                .as("%s: number %d reads as it was committed", context, checkpoint.number())
                .isEqualTo(now);
        known.put(checkpoint.id(), now);
    }

    /// What retention would keep if everything existed. It keeps a checkpoint until a newer one takes its place, so
    /// all of these must exist. The newest is always among them.
    private Set<String> wanted() throws IOException {
        NavigableSet<Long> starts = freshStarts();
        var byStart = new HashMap<Long, List<Journal.Line>>();
        for (Journal.Line line : known.values()) {
            Long start = starts.floor(line.number());
            byStart.computeIfAbsent(start == null ? 0 : start, _ -> new ArrayList<>())
                    .add(line);
        }
        var wanted = new HashSet<String>();
        for (List<Journal.Line> lines : byStart.values()) {
            Set<Long> kept =
                    plan.retention().keep(lines.stream().map(this::candidate).toList(), Instant.EPOCH);
            lines.stream().filter(line -> kept.contains(line.number())).forEach(line -> wanted.add(line.id()));
        }
        return wanted;
    }

    private Candidate candidate(Journal.Line line) {
        return new Candidate(
                line.number(), line.step(), Instant.EPOCH, plan.state().attributes(line.step()), false);
    }

    private NavigableSet<Long> freshStarts() throws IOException {
        var starts = new TreeSet<Long>();
        for (Path file : files()) {
            if (file.toString().endsWith(".rec") && Files.readString(file).contains("\"type\":\"start\"")) {
                starts.add(Long.parseLong(file.getFileName().toString().replace(".rec", "")));
            }
        }
        return starts;
    }

    private void checkFiles(String context, Map<String, Commit> found, Set<String> named) throws IOException {
        List<Path> files = files();
        leftovers = files.stream()
                .map(file -> plan.run().relativize(file).toString())
                .filter(name -> !named.contains(name))
                .collect(Collectors.toCollection(HashSet::new));
        // Records of fresh starts and removals belong to no checkpoint, but are still needed.
        var needless = Set.copyOf(store.leftovers());
        leftovers.removeIf(name -> RunFiles.isRecord(name) && !needless.contains(name));
        Set<Long> merges = Journal.merges(plan.journal());
        var cut = new EnumMap<Work, Integer>(Work.class);
        for (String name : leftovers) {
            cut.merge(work(name, found, merges), 1, Integer::sum);
        }
        cut.keySet().forEach(work -> cutOff.merge(work, 1, Integer::sum));
        assertThat(leftovers.size() - cut.getOrDefault(Work.PRUNE, 0))
                .as("%s: leftovers %s", context, leftovers)
                .isLessThanOrEqualTo(MOST_LEFTOVERS);
        mostFiles = Math.max(mostFiles, files.size());
        if (!keepsAll) {
            // A segment, a record and its twin each; the record of the last removal, fresh starts and the lock.
            assertThat(files)
                    .as("%s: files of %d checkpoints", context, found.size())
                    .hasSizeLessThanOrEqualTo(3 * MOST_CHECKPOINTS + MOST_LEFTOVERS + 7);
        }
    }

    /// The work that a leftover belongs to. Obsolete records exist as long as their segments; a segment that no
    /// record names belongs to a save or a merge that failed.
    private Work work(String name, Map<String, Commit> found, Set<Long> merges) throws IOException {
        if (RunFiles.isRecord(name)) {
            return work(Files.readString(plan.run().resolve(name)), found);
        }
        for (String other : leftovers) {
            if (RunFiles.isRecord(other)) {
                String text = Files.readString(plan.run().resolve(other));
                if (text.contains(name)) {
                    return work(text, found);
                }
            }
        }
        SegmentName segment = SegmentName.parse(name);
        return segment != null && merges.contains(segment.random()) ? Work.MERGE : Work.SAVE;
    }

    /// @param text the text of an obsolete record
    private static Work work(String text, Map<String, Commit> found) {
        Matcher id = ID_IN_RECORD.matcher(text);
        return id.find() && found.containsKey(id.group(1)) ? Work.MERGE : Work.PRUNE;
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(plan.run())) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(plan.run())) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
