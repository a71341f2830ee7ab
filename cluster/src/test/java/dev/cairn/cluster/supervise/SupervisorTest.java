package dev.cairn.cluster.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A supervisor whose only worker is a thread of this test, with a real connection.
class SupervisorTest {
    private static final int KILLED = 137;
    private static final int STOPPED = 75;

    private final AtomicReference<Message> heard = new AtomicReference<>();
    private final TeamPlan plan =
            new TeamPlan(1, 1, 0, Duration.ZERO, Path.of("meetings"), Duration.ofMinutes(1), Duration.ofMinutes(10));
    private final Supervisor supervisor = new Supervisor(plan, this::start, new Silent(), Clock.system());

    @Test
    @Timeout(60)
    void aNoticeThatComesWhileNoWorkerIsThereReachesTheNextOne() throws Exception {
        Outcome outcome = supervisor.run();
        assertThat(heard.get()).isInstanceOfSatisfying(Message.Stop.class, stop -> {
            assertThat(stop.reason()).isEqualTo("the deadline");
            assertThat(stop.secondsLeft()).isBetween(1.0, 100.0);
            assertThat(stop.insists()).isFalse();
        });
        assertThat(outcome.code()).isEqualTo(STOPPED);
        assertThat(outcome.out()).isEqualTo("saved");
    }

    /// The first worker trains and dies. The notice comes before the second one has connected.
    private Process start(Map<String, String> variables) {
        Identity identity = Identity.in(variables).orElseThrow();
        var process = new KillableThread();
        boolean first = identity.number() == 0;
        if (!first) {
            supervisor.stop(new Notice("the deadline", Duration.ofSeconds(100), false));
        }
        Thread.ofPlatform().daemon(true).start(() -> {
            try (var connection = Connection.to(identity.supervisor(), Secret.of(identity.secret()))) {
                connection.send(new Message.Join(identity.number()));
                connection.send(new Message.Ready());
                if (first) {
                    train(connection);
                } else {
                    Message told = connection.read().orElseThrow();
                    heard.set(told);
                    if (told instanceof Message.Stop) {
                        assertThat(connection.read()).contains(new Message.Lead(true));
                    }
                    connection.send(new Message.Result(STOPPED, "saved"));
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            } finally {
                process.ended.complete(first ? KILLED : STOPPED);
            }
        });
        return process;
    }

    private static void train(Connection connection) {
        assertThat(connection.read()).contains(new Message.Lead(false));
        connection.send(new Message.Settings(JsonNodeFactory.instance.objectNode()));
        connection.send(new Message.Waiting(0, 0, 1));
        assertThat(connection.read().orElseThrow()).isInstanceOf(Message.Form.class);
        connection.send(new Message.Formed(1));
    }

    private static final class Silent implements View {
        @Override
        public void memberSaid(String label, String line) {}

        @Override
        public void note(String line) {}

        @Override
        public void progress(String text) {}
    }

    private static final class KillableThread extends ThreadProcess {
        @Override
        public void destroy() {
            ended.complete(KILLED);
        }
    }
}
