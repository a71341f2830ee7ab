package dev.cairn.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.cluster.control.Message.Hello;
import dev.cairn.cluster.control.Message.Settings;
import dev.cairn.cluster.control.Message.Stop;
import java.io.IOException;
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

    private record Entered(int number, Connection connection) {}

    @BeforeEach
    void open() throws IOException {
        door = Door.open(
                Address.THIS_HOST, secret, (number, connection) -> entered.add(new Entered(number, connection)));
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void aMemberWithTheSecretIsLetInAndMessagesArriveAsTheyWereSent() throws Exception {
        try (Connection member = Connection.to(door.address())) {
            member.send(new Hello(secret.text(), 3));
            Entered found = entered.take();
            assertThat(found.number()).isEqualTo(3);
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
                "{\"is\":\"hello\",\"secret\":\"00\",\"member\":0}",
                "{\"is\":\"ready\"}",
                "{\"is\":\"nothing\"}",
                "GET / HTTP/1.1",
                ""
            })
    void whoDoesNotKnowTheSecretIsNotHeard(String line) throws Exception {
        try (var socket = new Socket(door.address().host(), door.address().port())) {
            socket.getOutputStream().write((line + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().read())
                    .as("closed without an answer")
                    .isEqualTo(-1);
        }
        assertThat(entered).isEmpty();
    }

    @Test
    void otherHostsCannotConnect() {
        assertThat(door.address().inet().isLoopbackAddress()).isTrue();
        assertThat(Optional.of(secret)).asString().doesNotContain(secret.text());
    }
}
