package dev.cairn.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.NotLetInException;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.hosts.JobHosts;
import dev.cairn.cluster.supervise.Launcher;
import dev.cairn.cluster.supervise.Outcome;
import dev.cairn.cluster.supervise.Supervisor;
import dev.cairn.cluster.supervise.TeamPlan;
import dev.cairn.cluster.supervise.View;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A supervisor and agents in threads of this test, with real connections. What does not fit together is named on
/// both sides, and nothing waits for ever.
@Timeout(300)
class AgentTest {
    private static final Map<String, String> ASKED = Map.of("version", "1", "workload", "lenet");
    private static final int ENDED = 7;

    private final Secret secret = Secret.random();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private Address door;

    @BeforeEach
    void findAPort() throws IOException {
        try (var free = new ServerSocket(0)) {
            door = new Address(Address.THIS_HOST, free.getLocalPort());
        }
    }

    @Test
    void processesStartOnTheirHostsAndHowTheyEndIsTold() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofMinutes(5));
        Agent.Ending ending = agent(1, ASKED, secret, Clock.system()).get();
        assertThat(job.get().code()).as("the code of the process that ended").isEqualTo(ENDED);
        assertThat(ending.code()).isEqualTo(ENDED);
        assertThat(notes).anyMatch(note -> note.contains("h1 (host 1) has joined; 2 of 2 hosts are there"));
    }

    @Test
    void anotherWorkloadEndsTheJobOnBothSides() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofMinutes(5));
        var other = agent(1, Map.of("version", "1", "workload", "lr"), secret, Clock.system());
        String why = "h1 has workload lr, but the first host has lenet; start the same command";
        assertThatThrownBy(other::get)
                .cause()
                .isInstanceOf(NotLetInException.class)
                .hasMessageContaining(why);
        assertThat(job.get().problem()).contains(why);
        assertThat(job.get().code()).isEqualTo(1);
    }

    @Test
    void anotherVersionIsNamedToo() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofMinutes(5));
        var other = agent(1, Map.of("version", "2", "workload", "lenet"), secret, Clock.system());
        assertThatThrownBy(other::get).cause().hasMessageContaining("h1 has version 2, but the first host has 1");
        assertThat(job.get().problem()).contains("version");
    }

    @Test
    void aNumberThatDoesNotExistEndsTheJob() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofMinutes(5));
        var wrong = agent(5, ASKED, secret, Clock.system());
        assertThatThrownBy(wrong::get).cause().hasMessageContaining("host 5, but the job has 2 hosts, from 0");
        assertThat(job.get().problem()).contains("give each host its own number");
    }

    @Test
    void anotherSecretIsRefusedAndTheJobNamesTheMissingHost() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofSeconds(2));
        var stranger = agent(1, ASKED, Secret.random(), Clock.system());
        assertThatThrownBy(stranger::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .hasMessageContaining("give the same secret on each host");
        assertThat(job.get().problem())
                .contains("host 1 of 2 (from 0) did not come to " + door, "start the same command");
        assertThat(job.get().code()).isEqualTo(1);
    }

    @Test
    void aClockThatIsWrongIsNamedAndTheJobGoesOn() throws Exception {
        CompletableFuture<Outcome> job = supervise(Duration.ofMinutes(5));
        agent(1, ASKED, secret, new Ahead()).get();
        assertThat(job.get().code()).isEqualTo(ENDED);
        assertThat(notes).anyMatch(note -> note.contains("the clock of h1 (host 1) is ") && note.contains("NTP"));
    }

    private CompletableFuture<Outcome> supervise(Duration patience) {
        var plan =
                new TeamPlan(2, 2, 0, Duration.ZERO, Path.of("unused"), Duration.ofMinutes(1), Duration.ofSeconds(10));
        var hosts = new JobHosts(2, door, secret, patience, ASKED);
        var done = new CompletableFuture<Outcome>();
        Thread.ofPlatform().daemon(true).start(() -> {
            try {
                done.complete(new Supervisor(plan, hosts, sleeping(), new Noting(), Clock.system()).run());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /// On the other host the process ends by itself, as one does that cannot read its data.
    private CompletableFuture<Agent.Ending> agent(int host, Map<String, String> asked, Secret its, Clock clock) {
        var plan = new Agent.Plan(host, "h1", door, its, asked, Duration.ofMinutes(5), Duration.ofSeconds(10));
        Launcher failing = _ -> new ProcessBuilder("sh", "-c", "exit " + ENDED).start();
        var done = new CompletableFuture<Agent.Ending>();
        Thread.ofPlatform().daemon(true).start(() -> {
            try {
                done.complete(new Agent(plan, failing, _ -> {}, clock).run());
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static Launcher sleeping() {
        return _ -> new ProcessBuilder("sleep", "600").start();
    }

    private final class Noting implements View {
        @Override
        public void memberSaid(String label, String line) {}

        @Override
        public void note(String line) {
            notes.add(line);
        }

        @Override
        public void progress(String text) {}
    }

    /// Five minutes ahead.
    private static final class Ahead implements Clock {
        @Override
        public Instant now() {
            return Clock.system().now().plus(Duration.ofMinutes(5));
        }

        @Override
        public long nanos() {
            return Clock.system().nanos();
        }

        @Override
        public void pause(Duration time) throws InterruptedException {
            Clock.system().pause(time);
        }
    }
}
