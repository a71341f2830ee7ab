package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.store.blob.LocalBlobStore;
import dev.cairn.store.log.LogRecord.Commit;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trainings whose processes save for themselves. All are killed, and then go on from the checkpoints that belong
/// together: those that a brute force over the raw records finds.
class UncoordinatedTest {
    private static final List<String> PROCESSES = List.of("ps0", "w0", "w1");
    private static final long NO_LIMIT = 10_000_000;

    @TempDir
    Path folder;

    private final Random random = new Random(20261119);

    @Test
    void allGoOnFromWhatABruteForceFinds() throws Exception {
        killAgainAndAgain(1);
        try (ChildProcess job = start(400)) {
            assertThat(job.end()).as(job.err()).isZero();
            ObjectNode ended = Json.parse(job.out().lines().toList().getLast());
            assertThat(ended.path("step").asLong()).isEqualTo(400);
            assertThat(ended.path("accuracy").asDouble()).isGreaterThan(0.8);
        }
        for (String process : PROCESSES) {
            assertThat(Cli.run("verify", run().resolve(process).toString()).code())
                    .isZero();
        }
    }

    @Test
    @Tag("crash")
    void allGoOnFromWhatABruteForceFindsThirtyTimesInARow() throws Exception {
        killAgainAndAgain(30);
    }

    /// One process dies, and the others go back with it.
    @Test
    @Tag("crash")
    void aDeadProcessIsReplaced() throws Exception {
        try (ChildProcess job = start(1500)) {
            for (String name : List.of("w1", "ps0", "w0")) {
                int recoveries = count(job);
                job.awaitLine("step " + (recoveries + 1) * 100);
                member(name).destroyForcibly();
                Eventually.holds("recovered from the death of " + name + job.err(), () -> count(job) > recoveries);
            }
            assertThat(job.end()).as(job.err()).isZero();
            ObjectNode ended = Json.parse(job.out().lines().toList().getLast());
            assertThat(ended.path("failures").findValuesAsText("who")).contains("w1", "ps0", "w0");
        }
    }

    private static int count(ChildProcess job) throws IOException {
        return (int) job.err()
                .lines()
                .filter(line -> line.contains("together again"))
                .count();
    }

    private void killAgainAndAgain(int kills) throws Exception {
        for (int kill = 1; kill <= kills; kill++) {
            Map<String, Integer> backs = new TreeMap<>();
            for (String process : PROCESSES) {
                backs.put(process, backs(process).size());
            }
            Map<String, Long> expected = bruteForce();
            try (ChildProcess job = start(NO_LIMIT)) {
                Eventually.holds(
                        "all have gone back " + job.err(),
                        () -> backs.entrySet().stream()
                                .allMatch(before -> hasMore(before.getKey(), before.getValue())));
                for (String process : PROCESSES) {
                    assertThat(backs(process).get(backs.getOrDefault(process, 0)))
                            .as("kill %d: %s of %s", kill, process, expected)
                            .isEqualTo(expected.get(process));
                }
                int updates = lines("ps0", "update").size();
                int more = 20 + random.nextInt(60);
                Eventually.holds(
                        "it trains " + job.err(), () -> lines("ps0", "update").size() > updates + more);
                List<ProcessHandle> members =
                        ProcessHandle.of(job.pid()).orElseThrow().children().toList();
                job.kill();
                members.forEach(ProcessHandle::destroyForcibly);
                Eventually.holds("all are gone", () -> members.stream().noneMatch(ProcessHandle::isAlive));
            }
            JsonNode drawn =
                    Cli.run("recovery-line", run().toString(), "--json").json().path("latest");
            Map<String, Long> line = bruteForce();
            for (String process : PROCESSES) {
                long step = line.getOrDefault(process, -1L);
                assertThat(drawn.path(process).asText())
                        .as("kill %d: %s of %s", kill, process, line)
                        .isEqualTo(step == 0 ? process + "#0" : process + "@" + step);
            }
        }
    }

    private boolean hasMore(String process, int before) {
        try {
            return backs(process).size() > before;
        } catch (IOException e) {
            return false;
        }
    }

    /// The steps to which a process has gone back, in order.
    private List<Long> backs(String process) throws IOException {
        return lines(process, "back").stream().map(line -> line[0]).toList();
    }

    private List<long[]> lines(String process, String kind) throws IOException {
        var found = new ArrayList<long[]>();
        Path file = run().resolve(process).resolve("messages.log");
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(kind + " ")) {
                    found.add(Arrays.stream(line.substring(kind.length() + 1).split(" ", -1))
                            .mapToLong(Long::parseLong)
                            .toArray());
                }
            }
        }
        return found;
    }

    /// Tries all combinations of checkpoints, and returns the latest one in which nothing is received that was not
    /// sent.
    private Map<String, Long> bruteForce() throws IOException {
        List<String[]> server = history("ps0");
        List<String[]> first = history("w0");
        List<String[]> second = history("w1");
        Map<String, Long> best = Map.of("ps0", 0L, "w0", 0L, "w1", 0L);
        for (long s : checkpoints("ps0", server.size())) {
            for (long a : checkpoints("w0", first.size())) {
                for (long b : checkpoints("w1", second.size())) {
                    boolean fits = fits(server, s, first, a, 0) && fits(server, s, second, b, 1);
                    if (fits
                            && s + a + b
                                    > best.values().stream()
                                            .mapToLong(Long::longValue)
                                            .sum()) {
                        best = Map.of("ps0", s, "w0", a, "w1", b);
                    }
                }
            }
        }
        return best;
    }

    private static boolean fits(List<String[]> server, long updates, List<String[]> worker, long steps, int rank) {
        long received = server.stream()
                .limit(updates)
                .filter(update -> update[2].equals(Integer.toString(rank)))
                .count();
        long sent = worker.stream()
                .limit(steps)
                .filter(step -> step[0].equals("push"))
                .count();
        long newest = worker.stream()
                .limit(steps)
                .filter(step -> step[0].equals("pull"))
                .mapToLong(pull -> Long.parseLong(pull[2]))
                .max()
                .orElse(0);
        return received <= sent && newest <= updates;
    }

    /// What a process did and was not undone.
    private List<String[]> history(String process) throws IOException {
        var history = new ArrayList<String[]>();
        Path file = run().resolve(process).resolve("messages.log");
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("back")) {
                history.subList((int) Math.min(history.size(), Long.parseLong(words[1])), history.size())
                        .clear();
            } else {
                history.add(words);
            }
        }
        return history;
    }

    private List<Long> checkpoints(String process, int steps) throws IOException {
        var found = new ArrayList<>(List.of(0L));
        Path own = run().resolve(process);
        if (!Files.exists(own)) {
            return found;
        }
        for (Commit commit :
                new CheckpointStore(new LocalBlobStore(own)).history().currentCheckpoints()) {
            boolean undone = lines(process, "back").stream()
                    .anyMatch(back -> commit.step() > back[0] && commit.number() <= back[1]);
            if (!undone && commit.step() <= steps) {
                found.add(commit.step());
            }
        }
        return found;
    }

    private Path run() {
        return folder.resolve("run");
    }

    private ProcessHandle member(String name) {
        return Eventually.get(name, () -> {
            for (var process : Cli.run("ps", run().toString(), "--json").json().path("processes")) {
                if (process.path("name").asText().equals(name)
                        && process.path("state").asText().equals("training")) {
                    return ProcessHandle.of(process.path("pid").asLong());
                }
            }
            return Optional.empty();
        });
    }

    private ChildProcess start(long steps) throws IOException {
        String[] arguments = {
            "train",
            "lr",
            "--engine",
            "tensorflow",
            "--mode",
            "ps-async",
            "--coordination",
            "none",
            "--workers",
            "2",
            "--threads",
            "1",
            "--every",
            "1",
            "--run",
            run().toString(),
            "--steps",
            Long.toString(steps),
            "--trace-steps",
            "--json"
        };
        return Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments)
                .start();
    }
}
