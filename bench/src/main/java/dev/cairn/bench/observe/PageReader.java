package dev.cairn.bench.observe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a dashboard as the page of its first run does: it listens for news, and asks for the run when
/// there are some, once a second at most. It draws nothing: a browser is elsewhere, or takes its own time.
final class PageReader implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f]+)\"");
    private static final long SLOWEST_MILLIS = 1000;
    private static final String NEWS = "data: ";

    private final URI dashboard;
    private final String run;
    private final Thread thread;
    private final AtomicInteger answers = new AtomicInteger();
    private volatile boolean closed;

    PageReader(URI dashboard) throws IOException {
        this.dashboard = dashboard;
        Matcher id = ID.matcher(get("/api/runs"));
        if (!id.find()) {
            throw new IOException("the dashboard shows no run");
        }
        this.run = "/api/runs/" + id.group(1);
        this.thread = Thread.ofPlatform().name("bench-page").daemon(true).start(this::read);
    }

    /// How often the page has been brought up to date.
    int answers() {
        return answers.get();
    }

    private void read() {
        try (var news = new BufferedReader(new InputStreamReader(open(run + "/live"), StandardCharsets.UTF_8))) {
            for (String line = news.readLine(); line != null && !closed; line = news.readLine()) {
                if (line.startsWith(NEWS)) {
                    get(run + "?columns=1136");
                    answers.incrementAndGet();
                    Thread.sleep(SLOWEST_MILLIS);
                }
            }
        } catch (IOException gone) {
            closed = true;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private String get(String path) throws IOException {
        try (InputStream in = open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private InputStream open(String path) throws IOException {
        return dashboard.resolve(path).toURL().openStream();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
