package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.Codec;
import dev.cairn.store.CheckpointStore;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.LocalBlobStore;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.StoreVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks at a run between two lives of its worker, and remembers what it saw: nothing that was ever committed may be
/// missing or read otherwise, and nothing else may pile up.
final class StoreAudit {
    /// Segments of a save and of a merge, a record's temporary file, and a record and its segment that a merge
    /// replaced.
    private static final int MOST_LEFTOVERS = 5;

    private final CrashWorker.Plan plan;
    private final CheckpointStore store;
    private final Map<String, String> digests = new HashMap<>();
    private Set<String> leftovers = Set.of();
    private int cutOff;

    StoreAudit(CrashWorker.Plan plan) {
        this.plan = plan;
        this.store = new CheckpointStore(new LocalBlobStore(plan.run()));
    }

    /// How many checkpoints were seen in all.
    int seen() {
        return digests.size();
    }

    /// How often something was left over: a save was under way.
    int cutOff() {
        return cutOff;
    }

    /// Files that belonged to nothing at the last check.
    Set<String> leftovers() {
        return leftovers;
    }

    /// @param context says where a failure happened
    void check(String context) throws IOException {
        var report = StoreVerifier.verify(store, StoreVerifier.Depth.FULL, checkpoint -> {});
        assertThat(report.damaged()).as(context).isEmpty();
        Map<String, String> journal = Journal.read(plan.journal());
        var found = new HashMap<String, Checkpoint>();
        var named = new HashSet<>(Set.of("writer.lock"));
        for (Entry entry : store.entries()) {
            named.add(entry.file());
            if (entry instanceof Entry.Intact(Checkpoint checkpoint)) {
                found.put(checkpoint.id(), checkpoint);
                checkpoint.segments().forEach(segment -> named.add(segment.name()));
            }
        }
        assertThat(found.keySet()).as("%s: known commits", context).containsAll(digests.keySet());
        assertThat(found.keySet()).as("%s: noted commits", context).containsAll(journal.keySet());
        for (Checkpoint checkpoint : found.values()) {
            if (!digests.containsKey(checkpoint.id())) {
                String digest = read(context, checkpoint);
                assertThat(journal.getOrDefault(checkpoint.id(), digest))
                        .as("%s: number %d reads as it was committed", context, checkpoint.number())
                        .isEqualTo(digest);
                digests.put(checkpoint.id(), digest);
            }
        }
        leftovers = filesBut(named);
        // Records of fresh starts belong to no checkpoint, and are not needless for that.
        var needless = Set.copyOf(store.leftovers());
        leftovers.removeIf(name -> name.endsWith(".rec") && !needless.contains(name));
        assertThat(leftovers).as("%s: leftovers", context).hasSizeLessThanOrEqualTo(MOST_LEFTOVERS);
        cutOff += leftovers.isEmpty() ? 0 : 1;
    }

    /// All that was ever seen still reads as it did.
    void checkEverything(String context) throws IOException {
        var before = Map.copyOf(digests);
        digests.clear();
        check(context);
        assertThat(digests).as(context).containsAllEntriesOf(before);
    }

    private String read(String context, Checkpoint checkpoint) throws IOException {
        SyntheticState state = plan.state();
        String digest = CrashWorker.digest(store, checkpoint, state);
        boolean right = Codec.parse(plan.codec()).isLossy()
                ? state.isNear(checkpoint.step())
                : state.isExactlyAt(checkpoint.step());
        assertThat(right)
                .as("%s: number %d holds the state of step %d", context, checkpoint.number(), checkpoint.step())
                .isTrue();
        return digest;
    }

    private Set<String> filesBut(Set<String> named) throws IOException {
        Path run = plan.run();
        if (!Files.isDirectory(run)) {
            return new HashSet<>();
        }
        try (Stream<Path> files = Files.walk(run)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> run.relativize(file).toString())
                    .filter(name -> !named.contains(name))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }
}
