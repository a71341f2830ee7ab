package dev.cairn.checkpoint.notice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.store.ManualClock;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HttpNoticeTest {
    private static final String PATH = "/latest/meta-data/spot/instance-action";

    private final ManualClock time = new ManualClock();
    private final List<String> warnings = new ArrayList<>();
    private final HttpServer server;
    private final HttpNotice source;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 404;
    private volatile String body = "";

    HttpNoticeTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(PATH, this::answer);
        server.start();
        source = new HttpNotice(address(), time, warnings::add);
    }

    @AfterEach
    void stop() {
        source.close();
        server.stop(0);
    }

    @Test
    void notFoundIsNoneAndAnAnswerIsANoticeWithTheMachinesEnd() {
        assertThat(answered()).isEmpty();
        assertThat(source.poll()).as("not asked again at once").isEmpty();
        assertThat(requests).hasValue(1);
        status = 200;
        body = "{\"action\": \"terminate\", \"time\": \"2026-01-02T03:06:05Z\"}";
        time.setTimeOfDay(java.time.Instant.parse("2026-01-02T03:04:05Z"));
        time.advance(Duration.ofSeconds(5));
        assertThat(answered())
                .contains(
                        new Notice("address " + address(), Duration.ofMinutes(2).minusSeconds(5), false));
        time.advance(Duration.ofSeconds(60));
        assertThat(source.poll()).isEmpty();
        assertThat(requests).as("told once, asked no more").hasValue(2);
        assertThat(warnings).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FALSE", "false\n", "NONE"})
    void aNoIsNone(String no) {
        status = 200;
        body = no;
        assertThat(answered()).isEmpty();
    }

    @Test
    void aYesIsANotice() {
        status = 200;
        body = "TRUE";
        assertThat(answered()).contains(new Notice("address " + address(), null, false));
    }

    @Test
    void aTimeThatMakesNoSenseSaysNothing() {
        status = 200;
        body = "{\"time\": \"soon\"}";
        assertThat(answered()).contains(new Notice("address " + address(), null, false));
    }

    @Test
    void fetchesATokenWhereOneIsWanted() {
        server.createContext("/latest/api/token", exchange -> {
            boolean right = exchange.getRequestMethod().equals("PUT")
                    && exchange.getRequestHeaders().containsKey("X-aws-ec2-metadata-token-ttl-seconds");
            reply(exchange, right ? 200 : 400, right ? "secret" : "");
        });
        server.removeContext(PATH);
        server.createContext(PATH, exchange -> {
            boolean known = "secret".equals(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token"));
            reply(exchange, known ? 200 : 401, "{}");
        });
        assertThat(answered()).isPresent();
        assertThat(warnings).isEmpty();
    }

    @Test
    void errorsAreNoNoticeAndWarnOnce() {
        status = 500;
        assertThat(answered()).isEmpty();
        server.stop(0);
        time.advance(Duration.ofSeconds(5));
        assertThat(answered()).isEmpty();
        assertThat(warnings).singleElement().asString().contains(PATH, "answers with status 500");
    }

    @Test
    void anAddressThatDoesNotAnswerIsNoNotice() {
        server.stop(0);
        assertThat(answered()).isEmpty();
        assertThat(warnings).singleElement().asString().contains(PATH, "does not answer");
    }

    /// Asks, and polls until the answer is there.
    private Optional<Notice> answered() {
        return Eventually.get("an answer", () -> {
            Optional<Notice> notice = source.poll();
            return notice.isEmpty() && source.isAsking() ? Optional.empty() : Optional.of(notice);
        });
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        reply(exchange, status, body);
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private URI address() {
        return URI.create("http://%s:%d%s"
                .formatted(
                        server.getAddress().getAddress().getHostAddress(),
                        server.getAddress().getPort(),
                        PATH));
    }
}
