package dev.cairn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Join;
import dev.cairn.cluster.control.Message.Settings;
import dev.cairn.cluster.control.Message.Stop;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoorTest {
    private final BlockingQueue<Entered> entered = new LinkedBlockingQueue<>();
    private final Secret secret = Secret.random();
    private Door door;

    private record Entered(Message first, Connection connection) {}

    @BeforeEach
    void open() throws IOException {
        door = Door.open(
                new Address(Address.THIS_HOST, 0),
                secret,
                (first, connection) -> entered.add(new Entered(first, connection)));
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void aMemberWithTheSecretIsLetInAndMessagesArriveAsTheyWereSent() throws Exception {
        try (Connection member = Connection.to(door.address(), secret)) {
            member.send(new Join(3));
            Entered found = entered.take();
            assertThat(found.first()).isEqualTo(new Join(3));
            List<Message> sent = List.of(
                    new Form(7, 1, 3, "/tmp/a b", 2, List.of(0, 1)),
                    new Stop("SIGTERM", null, false),
                    new Stop("a \"deadline\"\n", 1.5, true),
                    new Settings(JsonNodeFactory.instance
                            .objectNode()
                            .put("rate", 0.1)
                            .put("seed", Long.MAX_VALUE)));
            sent.forEach(found.connection()::send);
            for (Message each : sent) {
                assertThat(member.read()).contains(each);
            }
            found.connection().close();
            assertThat(member.read()).as("the end of the other side").isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"is\":\"hello\",\"nonce\":\"00\",\"proof\":\"00\"}",
                "{\"is\":\"join\",\"member\":0}",
                "{\"is\":\"ready\"}",
                "{\"is\":\"nothing\"}",
                "GET / HTTP/1.1",
                ""
            })
    void whoDoesNotKnowTheSecretIsNotHeard(String line) throws Exception {
        try (var socket = new Socket(door.address().host(), door.address().port())) {
            socket.getOutputStream().write((line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .as("the question, and no answer")
                    .containsPattern("challenge")
                    .hasLineCount(1);
        }
        assertThat(entered).isEmpty();
    }

    /// A proof is of no use to who hears it: the question is another one each time.
    @Test
    void whoHasAnotherSecretIsToldThatAndTheSecretIsNeverSent() throws Exception {
        assertThatThrownBy(() -> Connection.to(door.address(), Secret.random()))
                .isInstanceOf(NotLetInException.class)
                .hasMessageContainingAll("another secret", "give the same secret on each host");
        assertThat(entered).isEmpty();
        assertThat(secret.proof(Door.VISITOR, "one")).isNotEqualTo(secret.proof(Door.VISITOR, "two"));
        assertThat(secret.proof(Door.VISITOR, "one")).isNotEqualTo(secret.proof(Door.HOST, "one"));
        assertThat(secret.proof(Door.VISITOR, "one")).doesNotContain(secret.text());
    }

    @Test
    void aPortInUseAndAnAddressOfAnotherHostAreNamed() {
        assertThatThrownBy(() -> Door.open(door.address(), secret, (_, _) -> {}))
                .isInstanceOf(BindException.class)
                .hasMessageContainingAll(door.address().toString(), "uses this port", "name another port");
        assertThatThrownBy(() -> Door.open(new Address("192.0.2.1", 0), secret, (_, _) -> {}))
                .isInstanceOf(BindException.class)
                .hasMessageContainingAll("192.0.2.1", "no interface of this host");
    }

    @Test
    void otherHostsCannotConnect() {
        assertThat(door.address().inet().isLoopbackAddress()).isTrue();
        assertThat(Optional.of(secret)).asString().doesNotContain(secret.text());
    }
}
