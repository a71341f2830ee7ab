package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The group of one process forms fifty times anew, because the other worker dies fifty times. That process and the
/// supervisor keep nothing of the groups before. About four minutes on two cores.
@Tag("crash")
class TeamLeakTest {
    private static final int WARM = 10;

    /// With a small heap, memory tells of a leak and not of a collector that takes its time.
    private static final List<String> FLAGS =
            List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx96m");

    /// The size of the lines that tell of a few steps.
    private static final int FEW_STEPS = 100;

    private static final int FORMATIONS = 50;

    /// A collection of garbage more or less.
    private static final long MEMORY_MARGIN = 80L << 20;

    private static final int FEW = 6;

    @TempDir
    Path folder;

    private record Used(long threads, long files, long sockets, long memory) {
        static Used by(long pid) throws IOException {
            Path process = Path.of("/proc", Long.toString(pid));
            long resident = Files.readAllLines(process.resolve("status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElseThrow();
            List<Path> files = list(process.resolve("fd"));
            long sockets = files.stream().filter(Used::isSocket).count();
            return new Used(list(process.resolve("task")).size(), files.size(), sockets, resident);
        }

        private static boolean isSocket(Path file) {
            try {
                return Files.readSymbolicLink(file).toString().startsWith("socket:");
            } catch (IOException closed) {
                return false;
            }
        }

        private static List<Path> list(Path folder) throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                return files.toList();
            }
        }
    }

    @Test
    void fiftyFormationsLeaveNoMemoryThreadsFilesOrPorts() throws Exception {
        String[] arguments = {
            "train",
            "lr",
            "--run",
            folder.resolve("run").toString(),
            "--workers",
            "2",
            "--spares",
            "1",
            "--min-workers",
            "2",
            "--spare-wait",
            "600s",
            "--steps",
            "100000000",
            "--threads",
            "1",
            "--every",
            "1000",
            "--trace-steps",
            "--json"
        };
        try (ChildProcess job = Command.java(FLAGS, Main.class, arguments).start()) {
            long survivor = pid("w0");
            var seen = new ArrayList<List<Used>>();
            for (int i = 1; i <= FORMATIONS; i++) {
                long victim = pid("w1");
                int before = count(job);
                Command.of("kill", "-KILL", Long.toString(victim)).succeed();
                Eventually.holds("recovered " + i, () -> count(job) > before || !job.isAlive());
                assertThat(job.isAlive()).as(job.err()).isTrue();
                // Processes that die again and again at the same step end the job.
                int steps = job.out().length() + FEW_STEPS;
                Eventually.holds("steps after " + i, () -> job.out().length() > steps || !job.isAlive());
                if (i == WARM || i == FORMATIONS) {
                    spareIsReady();
                    seen.add(List.of(Used.by(survivor), Used.by(job.pid())));
                }
            }
            assertThat(pid("w0")).isEqualTo(survivor);
            for (int process = 0; process < 2; process++) {
                Used warm = seen.getFirst().get(process);
                Used last = seen.getLast().get(process);
                System.out.printf("after %d: %s%nafter %d: %s%n", WARM, warm, FORMATIONS, last);
                assertThat(last.threads()).as(seen.toString()).isLessThanOrEqualTo(warm.threads() + FEW);
                assertThat(last.files()).as(seen.toString()).isLessThanOrEqualTo(warm.files() + FEW);
                assertThat(last.sockets()).as(seen.toString()).isLessThanOrEqualTo(warm.sockets() + FEW);
                assertThat(last.memory()).as(seen.toString()).isLessThan(warm.memory() + MEMORY_MARGIN);
            }
            job.signal("TERM");
            assertThat(job.end()).isEqualTo(75);
        }
    }

    private static int count(ChildProcess job) throws IOException {
        return (int) job.err()
                .lines()
                .filter(line -> line.contains("train together again"))
                .count();
    }

    private long pid(String name) {
        return process("name", name, "training").path("pid").asLong();
    }

    private void spareIsReady() {
        process("role", "spare", "ready");
    }

    private JsonNode process(String key, String value, String state) {
        return Eventually.get(value, () -> {
            Cli told = Cli.run("ps", folder.resolve("run").toString(), "--json");
            if (told.code() == 0) {
                for (JsonNode process : told.json().path("processes")) {
                    if (process.path(key).asText().equals(value)
                            && process.path("state").asText().equals(state)) {
                        return Optional.of(process);
                    }
                }
            }
            return Optional.empty();
        });
    }
}
