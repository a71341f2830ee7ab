package dev.cairn.observe.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.observe.Recorder;
import dev.cairn.observe.TrainingEvent;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Serves the meters of one training at `/metrics`, in the text form of Prometheus.
///
/// On the loopback, it answers requests for the loopback alone: a page of another site that a browser shows may make
/// its own name lead here. Elsewhere, a request must bring the token. A client that is slow or many wait for each
/// other;
/// the training waits for none.
public final class MetricsServer implements Recorder {
    private static final String PATH = "/metrics";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final int THREADS = 2;
    private static final int BACKLOG = 16;
    private static final String MOST_SECONDS = "10";
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    static {
        // The JDK's server knows these limits as properties only, and reads them once.
        for (String limit : new String[] {"sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime"}) {
            if (System.getProperty(limit) == null) {
                System.setProperty(limit, MOST_SECONDS);
            }
        }
    }

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final TrainingMetrics metrics;
    private final HttpServer server;
    private final Optional<byte[]> token;
    private final ExecutorService threads;

    private MetricsServer(HttpServer server, String run, Optional<String> token) {
        this.server = server;
        this.token = token.map(text -> text.getBytes(UTF_8));
        this.metrics = new TrainingMetrics(registry, Tags.of("run", run));
        this.threads = Executors.newFixedThreadPool(
                THREADS,
                Thread.ofPlatform().name("cairn-metrics-", 0).daemon(true).factory());
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /// Serves on the loopback.
    ///
    /// @param port 0 for a free one
    /// @param run the name of the run, a tag of all meters
    public static MetricsServer onLoopback(int port, String run) throws IOException {
        return new MetricsServer(listen(InetAddress.getLoopbackAddress(), port), run, Optional.empty());
    }

    /// Serves on this address, for requests with the header `Authorization: Bearer TOKEN`.
    public static MetricsServer on(InetAddress address, int port, String run, String token) throws IOException {
        return new MetricsServer(listen(address, port), run, Optional.of(token));
    }

    private static HttpServer listen(InetAddress address, int port) throws IOException {
        return HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
    }

    /// The address of the meters, for people and programs.
    public String address() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().getHostAddress();
        return "http://%s:%d%s".formatted(host.contains(":") ? "[" + host + "]" : host, bound.getPort(), PATH);
    }

    @Override
    public void on(TrainingEvent event) {
        metrics.on(event);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!isAllowed(exchange)) {
                send(exchange, token.isPresent() ? 401 : 403, "");
            } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
                send(exchange, 404, "");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, "");
            } else {
                send(exchange, 200, registry.scrape());
            }
        }
    }

    private boolean isAllowed(HttpExchange exchange) {
        if (token.isPresent()) {
            String given = exchange.getRequestHeaders().getFirst("Authorization");
            return given != null
                    && given.startsWith("Bearer ")
                    && MessageDigest.isEqual(given.substring("Bearer ".length()).getBytes(UTF_8), token.get());
        }
        String host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null) {
            return false;
        }
        String name = host.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(name);
    }

    private static void send(HttpExchange exchange, int code, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", TEXT);
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        registry.close();
    }
}
