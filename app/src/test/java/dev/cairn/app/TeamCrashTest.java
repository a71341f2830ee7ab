package dev.cairn.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.app.text.Json;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A training by three workers and a spare process goes through thirty real failures in a row, and ends in the bits of
/// an undisturbed training. About five minutes on two cores.
@Tag("crash")
class TeamCrashTest {
    private static final int FAILURES = 30;
    private static final int MOST_MILLIS_BETWEEN = 500;
    private static final String LOST = "no worker has the state of the last finished step";
    private static final String TOGETHER = "3 workers train together again";

    /// Waits for processes that are to come back, however slow the machine is.
    private static final String PATIENCE = "600s";

    @TempDir
    Path folder;

    private final long seed = Long.getLong("cairn.seed", 20261119);
    private final Random random = new Random(seed);
    private final List<String> happened = new ArrayList<>();

    private enum Kind {
        WORKER,
        LEADER,
        TWO_AT_ONCE,
        AGAIN_WHILE_IT_RECOVERS,
        STOPPED,
        SPARE,
        ALL_AT_ONCE,
        SUPERVISOR
    }

    @Test
    void thirtyFailuresInARowLoseNoStepWhileOneWorkerLives() throws Exception {
        var kinds = new ArrayList<Kind>();
        while (kinds.size() < FAILURES) {
            kinds.addAll(List.of(Kind.values()));
        }
        Collections.shuffle(kinds, random);
        ChildProcess job = start("killed", 3, 1, 10_000_000);
        try {
            for (Kind kind : kinds.subList(0, FAILURES)) {
                List<ProcessHandle> members = workers();
                pause(MOST_MILLIS_BETWEEN);
                happened.add(kind.name());
                if (kind == Kind.SUPERVISOR) {
                    killSupervisor(job);
                    job.close();
                    job = start("killed", 3, 1, 10_000_000);
                } else {
                    fail(job, kind, members);
                }
            }
            workers();
            signal(job.pid(), "TERM");
            assertThat(job.end()).as(told(job)).isEqualTo(75);
            ObjectNode killed = Json.parse(job.out().lines().toList().getLast());
            long steps = killed.path("step").asLong();
            try (ChildProcess undisturbed = start("undisturbed", 3, 0, steps)) {
                assertThat(undisturbed.end()).as(undisturbed.err()).isZero();
                ObjectNode whole = Json.parse(undisturbed.out().lines().toList().getLast());
                assertThat(killed.path("weightsSha256")).as(told(job)).isEqualTo(whole.path("weightsSha256"));
            }
        } finally {
            job.close();
        }
        assertThat(Cli.run("verify", folder.resolve("killed").toString()).code())
                .isZero();
    }

    /// Lets it happen, and waits until the team is complete again.
    private void fail(ChildProcess job, Kind kind, List<ProcessHandle> members) throws Exception {
        int recoveries = count(job, TOGETHER);
        int losses = count(job, LOST);
        switch (kind) {
            case WORKER -> members.get(1 + random.nextInt(2)).destroyForcibly();
            case LEADER -> members.getFirst().destroyForcibly();
            case TWO_AT_ONCE -> {
                Collections.shuffle(members, random);
                members.subList(0, 2).forEach(ProcessHandle::destroyForcibly);
            }
            case AGAIN_WHILE_IT_RECOVERS -> {
                members.get(random.nextInt(3)).destroyForcibly();
                pause(300);
                List<ProcessHandle> left = children(job);
                left.get(random.nextInt(left.size())).destroyForcibly();
            }
            case STOPPED -> signal(members.get(random.nextInt(3)).pid(), "STOP");
            case SPARE -> {
                children(job).stream()
                        .filter(child -> !members.contains(child))
                        .forEach(ProcessHandle::destroyForcibly);
                return;
            }
            case ALL_AT_ONCE -> members.forEach(ProcessHandle::destroyForcibly);
            case SUPERVISOR -> throw new IllegalArgumentException("it does not recover");
        }
        Eventually.holds(
                "recovered from " + kind + " " + job.err(), () -> count(job, TOGETHER) > recoveries || !job.isAlive());
        assertThat(job.isAlive()).as(told(job)).isTrue();
        if (kind != Kind.ALL_AT_ONCE) {
            assertThat(count(job, LOST)).as(told(job)).isEqualTo(losses);
        }
    }

    /// The workers save the state that they have, and end by themselves.
    private void killSupervisor(ChildProcess job) throws IOException {
        List<ProcessHandle> members = children(job);
        job.kill();
        Eventually.holds("the workers end", () -> members.stream().noneMatch(ProcessHandle::isAlive));
        long made = job.out()
                .lines()
                .filter(line -> line.startsWith("step "))
                .mapToLong(line -> Long.parseLong(line.substring("step ".length())))
                .reduce((_, later) -> later) // steps may have been made again
                .orElse(0);
        var list = Cli.run("ls", folder.resolve("killed").toString(), "--json")
                .json()
                .path("checkpoints");
        assertThat(list.path(list.size() - 1).path("step").asLong())
                .as(told(job))
                .isGreaterThanOrEqualTo(made);
    }

    private void pause(int mostMillis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(mostMillis));
    }

    /// The workers, in the order of their ranks, as `ps` tells when all of them train.
    private List<ProcessHandle> workers() {
        return Eventually.get("three workers train", () -> {
            var found = new ArrayList<ProcessHandle>();
            Cli told = Cli.run("ps", folder.resolve("killed").toString(), "--json");
            if (told.code() != 0) {
                return Optional.empty(); // the run has not begun yet
            }
            for (var process : told.json().path("processes")) {
                if (process.path("role").asText().equals("worker")
                        && process.path("state").asText().equals("training")) {
                    ProcessHandle.of(process.path("pid").asLong()).ifPresent(found::add);
                }
            }
            return found.size() == 3 ? Optional.of(found) : Optional.empty();
        });
    }

    private static List<ProcessHandle> children(ChildProcess job) {
        return ProcessHandle.of(job.pid()).orElseThrow().children().toList();
    }

    private static int count(ChildProcess job, String text) throws IOException {
        return (int) job.err().lines().filter(line -> line.contains(text)).count();
    }

    private String told(ChildProcess job) throws IOException {
        return "seed %d, %s\n%s".formatted(seed, happened, job.err());
    }

    private static void signal(long process, String signal) throws IOException {
        Command.of("kill", "-" + signal, Long.toString(process)).succeed();
    }

    private ChildProcess start(String run, int workers, int spares, long steps) throws IOException {
        String[] arguments = {
            "train",
            "lr",
            "--run",
            folder.resolve(run).toString(),
            "--workers",
            Integer.toString(workers),
            "--spares",
            Integer.toString(spares),
            "--min-workers",
            Integer.toString(workers),
            "--spare-wait",
            PATIENCE,
            "--steps",
            Long.toString(steps),
            "--threads",
            "1",
            "--every",
            "50",
            "--optimizer",
            "adam",
            "--trace-steps",
            "--json"
        };
        return Command.java(List.of("--enable-native-access=ALL-UNNAMED"), Main.class, arguments)
                .start();
    }
}
