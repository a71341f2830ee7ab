package dev.cairn.dashboard.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.dashboard.document.CheckpointDocument;
import dev.cairn.dashboard.document.CheckpointsDocument;
import dev.cairn.dashboard.document.PlacesDocument;
import dev.cairn.dashboard.document.RunDocument;
import dev.cairn.dashboard.document.RunsDocument;
import dev.cairn.dashboard.report.Assets;
import dev.cairn.dashboard.report.Report;
import dev.cairn.dashboard.run.Places;
import dev.cairn.dashboard.run.Records.Snapshot;
import dev.cairn.dashboard.run.WatchedRun;
import dev.cairn.dashboard.run.Watcher;
import dev.cairn.store.log.LogRecord.Commit;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the dashboard answers. Files and runs are found in tables: nothing that a request says becomes a path.
final class Answers {
    private static final Duration FIRST_PATIENCE = Duration.ofMillis(200);
    private static final int USUAL_COLUMNS = 900;
    private static final int MOST_ROWS = 500;

    private static final Map<String, String> FILES = Map.of(
            "dashboard.js", "text/javascript; charset=utf-8",
            "parts.js", "text/javascript; charset=utf-8",
            "sentences.js", "text/javascript; charset=utf-8",
            "spacetime.js", "text/javascript; charset=utf-8",
            "lanes.js", "text/javascript; charset=utf-8",
            "runpage.js", "text/javascript; charset=utf-8",
            "uPlot.js", "text/javascript; charset=utf-8",
            "look.css", "text/css; charset=utf-8",
            "uPlot.css", "text/css; charset=utf-8");

    private final Places places;
    private final Watcher watcher;
    private final LiveFeed feed;
    private final String version;

    Answers(Places places, Watcher watcher, LiveFeed feed, String version) {
        this.places = places;
        this.watcher = watcher;
        this.feed = feed;
        this.version = version;
    }

    void add(RoutesConfig routes) {
        routes.get(
                "/", request -> request.contentType("text/html; charset=utf-8").result(Assets.bytes("index.html")));
        routes.get("/pages/{file}", this::file);
        routes.get(
                "/favicon.ico", request -> request.contentType("image/svg+xml").result(Assets.bytes("icon.svg")));
        routes.get("/api/runs", this::runs);
        routes.get("/api/live", request -> live(request, this::anyChange));
        routes.get("/api/places", request -> json(request, PlacesDocument.of(readRuns())));
        routes.get("/api/runs/{run}", this::run);
        routes.get("/api/runs/{run}/live", request -> {
            WatchedRun run = find(request);
            live(request, (seen, millis) -> {
                watcher.want(run);
                return run.await(seen, millis);
            });
        });
        routes.get("/api/runs/{run}/checkpoints", this::checkpoints);
        routes.get("/api/runs/{run}/checkpoints/{number}", this::checkpoint);
        routes.get("/api/runs/{run}/report", this::report);
    }

    private void file(Context request) {
        String name = request.pathParam("file");
        String type = FILES.get(name);
        if (type == null) {
            throw new NotFoundResponse("no such file");
        }
        request.contentType(type).result(Assets.bytes(name.startsWith("uPlot") ? "uplot/" + name : name));
    }

    private void runs(Context request) {
        json(request, RunsDocument.of(readRuns()));
    }

    private List<WatchedRun> readRuns() {
        watcher.wantAll();
        return places.runs();
    }

    /// The number of the newest change of any run.
    private long anyChange(long seen, long millis) throws InterruptedException {
        long left = millis;
        while (true) {
            watcher.wantAll();
            long now = places.runs().stream()
                    .mapToLong(run -> run.view().version() + 1)
                    .sum();
            if (now != seen || left <= 0) {
                return now == seen ? seen : Math.max(now, seen + 1);
            }
            Thread.sleep(Math.min(left, 250));
            left -= 250;
        }
    }

    private void run(Context request) throws InterruptedException {
        WatchedRun run = find(request);
        watcher.awaitFirst(run, FIRST_PATIENCE);
        int columns =
                (int) number(request, "columns").orElse((double) USUAL_COLUMNS).doubleValue();
        ObjectNode document = RunDocument.of(run.view(), millis(request, "from"), millis(request, "to"), columns);
        document.put("read", run.isRead());
        document.put("trouble", run.trouble().orElse(null));
        json(request, document);
    }

    private void checkpoints(Context request) throws IOException {
        Snapshot records = find(request).records().now();
        int skip = (int) Math.clamp(number(request, "skip").orElse(0.0), 0, Integer.MAX_VALUE);
        int count = (int) Math.clamp(number(request, "count").orElse(50.0), 1, MOST_ROWS);
        json(request, CheckpointsDocument.of(records, skip, count));
    }

    private void checkpoint(Context request) throws IOException {
        WatchedRun run = find(request);
        Snapshot records = run.records().now();
        Commit checkpoint = parsed(request.pathParam("number"))
                .flatMap(number -> records.find(number.longValue()))
                .orElseThrow(() -> new NotFoundResponse("the run has no such checkpoint now"));
        ObjectNode document = CheckpointDocument.of(run.records(), records, checkpoint);
        document.put("run", run.location().name()).put("place", run.location().toString());
        json(request, document);
    }

    private void report(Context request) throws IOException {
        WatchedRun run = find(request);
        request.contentType("text/html; charset=utf-8")
                .header("Content-Security-Policy", "sandbox")
                .header("Content-Disposition", "attachment; filename=\"report.html\"")
                .result(Report.of(run, version).getBytes(StandardCharsets.UTF_8));
    }

    private void live(Context request, LiveFeed.Changes changes) throws InterruptedException {
        if (!feed.enter()) {
            request.status(503).result("too many pages are open");
            return;
        }
        try {
            request.res().setContentType("text/event-stream; charset=utf-8");
            request.res().setHeader("X-Accel-Buffering", "no");
            feed.write(request.res().getOutputStream(), changes);
        } catch (IOException gone) {
            // The page was closed.
            return;
        } finally {
            feed.leave();
        }
    }

    private WatchedRun find(Context request) {
        return places.find(request.pathParam("run"))
                .orElseThrow(() -> new NotFoundResponse("there is no such run in the places of this dashboard"));
    }

    private static void json(Context request, ObjectNode document) {
        request.contentType("application/json; charset=utf-8")
                .result(document.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<Long> millis(Context request, String name) {
        return number(request, name).map(seconds -> (long) (seconds * 1e3));
    }

    private static Optional<Double> number(Context request, String name) {
        return parsed(request.queryParam(name));
    }

    /// A finite number; empty if the text is none.
    private static Optional<Double> parsed(@Nullable String text) {
        try {
            double value = text == null ? Double.NaN : Double.parseDouble(text);
            return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
        } catch (NumberFormatException nonsense) {
            return Optional.empty();
        }
    }
}
