package dev.cairn.dashboard.web;

import dev.cairn.dashboard.run.Places;
import dev.cairn.dashboard.run.Watcher;
import dev.cairn.store.Clock;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.server.NetworkConnectionLimit;

/// The server of the dashboard. It only reads, and takes no lock of a run, so a training does not notice it.
public final class DashboardServer implements AutoCloseable {
    private static final int MOST_CONNECTIONS = 256;
    private static final int LARGEST_HEADERS = 8 << 10;

    /// A page asks a few times a second. Some pages together may ask this often.
    private static final double REQUESTS_AT_ONCE = 400;

    private static final double REQUESTS_PER_SECOND = 60;

    private final Javalin server;
    private final Watcher watcher;
    private final LiveFeed feed = new LiveFeed();
    private final Access access;
    private final String host;

    private DashboardServer(Places places, String host, int port, String version, Clock clock, RateLimit rate)
            throws IOException {
        boolean local = isLoopback(host);
        this.host = host;
        this.access = local ? Access.loopback() : Access.withToken(names(host));
        this.watcher = new Watcher(places, clock);
        var gate = new Gate(access, rate);
        var answers = new Answers(places, watcher, feed, version);
        this.server = Javalin.create(config -> configure(config, gate, answers));
        try {
            server.start(host, port);
        } catch (RuntimeException e) {
            watcher.close();
            throw new IOException("cannot listen at %s port %d: %s".formatted(host, port, cause(e)), e);
        }
    }

    /// Starts the server.
    ///
    /// @param host the address to listen at; on any other than a loopback address, readers need a token
    /// @param port 0 takes a free one
    /// @param version of the program, for reports
    /// @throws IOException if it cannot listen there
    public static DashboardServer start(Places places, String host, int port, String version, Clock clock)
            throws IOException {
        return start(places, host, port, version, clock, new RateLimit(REQUESTS_AT_ONCE, REQUESTS_PER_SECOND, clock));
    }

    /// The same, with another limit.
    static DashboardServer start(Places places, String host, int port, String version, Clock clock, RateLimit rate)
            throws IOException {
        return new DashboardServer(places, host, port, version, clock, rate);
    }

    private static boolean isLoopback(String host) throws IOException {
        return InetAddress.getByName(host).isLoopbackAddress();
    }

    private static Set<String> names(String host) throws IOException {
        var names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]", host.toLowerCase(Locale.ROOT)));
        names.add(InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT));
        names.add(InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT));
        return names;
    }

    private static String cause(Throwable e) {
        Throwable first = e;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return String.valueOf(first.getMessage());
    }

    private void configure(JavalinConfig config, Gate gate, Answers answers) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.concurrency.useVirtualThreads = true;
        config.http.maxRequestSize = 0;
        config.http.generateEtags = false;
        config.jetty.modifyHttpConfiguration(http -> {
            http.setRequestHeaderSize(LARGEST_HEADERS);
            http.setSendServerVersion(false);
            http.setMinRequestDataRate(100);
        });
        config.jetty.modifyServer(jetty -> jetty.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, jetty)));
        config.routes.before(gate::check);
        answers.add(config.routes);
        config.routes.exception(
                HttpResponseException.class,
                (e, request) -> request.status(e.getStatus())
                        .contentType("text/plain; charset=utf-8")
                        .result(String.valueOf(e.getMessage())));
        config.routes.exception(
                IOException.class,
                (e, request) -> request.status(500)
                        .contentType("text/plain; charset=utf-8")
                        .result(String.valueOf(e.getMessage())));
    }

    /// The port at which it listens.
    public int port() {
        return server.port();
    }

    /// The address to open. It has the token if one is needed.
    public String address() {
        String name = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        return "http://%s:%d/%s"
                .formatted(
                        name,
                        port(),
                        access.token().map(token -> "?token=" + token).orElse(""));
    }

    /// How many pages listen for news.
    int listeners() {
        return feed.clients();
    }

    @Override
    public void close() {
        feed.close();
        watcher.close();
        server.stop();
    }
}
