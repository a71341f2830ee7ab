package dev.cairn.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.function.Consumer;

/// The recordings of a run, written line by line as `docs/EVENTS.md` and `docs/SYSTEM.md` say. Time passes by hand.
public final class RecordedRun {
    public static final Instant BEGIN = Instant.parse("2026-11-19T12:00:00Z");

    private final Path folder;
    private final StringBuilder waiting = new StringBuilder();
    private Path file;
    private long millis;

    public RecordedRun(Path folder) {
        this.folder = folder;
        this.file = folder;
    }

    public Path folder() {
        return folder;
    }

    /// The time of the next line.
    public Instant now() {
        return BEGIN.plusMillis(millis);
    }

    public RecordedRun pass(long passed) {
        millis += passed;
        return this;
    }

    /// Begins an attempt of a process on a host that is not this one.
    public RecordedRun attempt(int number, String process) throws IOException {
        return attempt(number, process, "elsewhere", 1);
    }

    public RecordedRun attempt(int number, String process, String host, long pid) throws IOException {
        write();
        file = folder.resolve("events/%010d-%s.jsonl".formatted(number, process));
        Files.createDirectories(file.getParent());
        return line(
                "attempt",
                line -> line.put("version", 1)
                        .put("attempt", number)
                        .put("process", process)
                        .put("host", host)
                        .put("pid", pid));
    }

    public RecordedRun started(String begin, long step, long steps) {
        return line(
                "started",
                line -> line.put("step", step)
                        .put("begin", begin)
                        .put("steps", steps)
                        .put("measure", "accuracy")
                        .putObject("settings")
                        .put("workload", "lenet")
                        .put("rate", 0.01)
                        .put("workers", 1));
    }

    /// Makes these steps, one every ten milliseconds.
    public RecordedRun steps(long first, long last) {
        for (long step = first; step <= last; step++) {
            pass(10);
            step(step, 2.0 / Math.sqrt((double) step));
        }
        return this;
    }

    public RecordedRun step(long step, double loss) {
        return line("step", line -> {
            line.put("step", step).put("epoch", step / 100);
            if (Double.isFinite(loss)) {
                line.put("loss", loss);
            } else {
                line.putNull("loss");
            }
        });
    }

    public RecordedRun committed(long step, String kind, long bytes, double every) {
        return line(
                "committed",
                line -> line.put("step", step)
                        .put("number", step)
                        .put("kind", kind)
                        .put("codec", "lossless")
                        .put("storedBytes", bytes)
                        .put("fullBytes", 500_000)
                        .put("stallSeconds", 0.001)
                        .put("persistSeconds", 0.01)
                        .put("intervalSeconds", every)
                        .put("intervalFollowed", true)
                        .put("intervalReason", "a save costs 3 ms"));
    }

    public RecordedRun ended(String outcome, long step) {
        return line("ended", line -> line.put("outcome", outcome).put("step", step));
    }

    public RecordedRun line(String kind, Consumer<ObjectNode> keys) {
        ObjectNode line =
                JsonNodeFactory.instance.objectNode().put("event", kind).put("time", now().toString());
        keys.accept(line);
        waiting.append(line).append('\n');
        return this;
    }

    /// Writes figures of a host, one sample a second from the beginning on, in which one process keeps half a core
    /// busy.
    ///
    /// @param recorder who wrote them: an agent of its host, or the supervisor
    public RecordedRun figures(String recorder, String host, String watched, int seconds) throws IOException {
        var lines = new StringBuilder("{\"event\":\"attempt\",\"host\":\"%s\",\"cores\":2}\n".formatted(host));
        for (int second = 0; second < seconds; second++) {
            lines.append("""
                    {"event":"sample","time":"%s","seconds":1,"cpuIdle":0.25,"cpuWaiting":0,"networkSentBytesPerSecond":5000,"processes":[{"name":"%s","pid":10,"cores":0.5,"memoryBytes":1000}]}
                    """.formatted(BEGIN.plusSeconds(second), watched));
        }
        Path figures = folder.resolve("system/0000000001-%s.jsonl".formatted(recorder));
        Files.createDirectories(figures.getParent());
        Files.writeString(figures, lines);
        return this;
    }

    /// Brings the lines to the file.
    public RecordedRun write() throws IOException {
        if (!waiting.isEmpty()) {
            Files.write(file, waiting.toString().getBytes(UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            waiting.setLength(0);
        }
        return this;
    }

    /// A run that was killed at step 57 and went on from step 40 a minute later, to step 100.
    public static RecordedRun killedAndResumed(Path folder) throws IOException {
        return new RecordedRun(folder)
                .attempt(1, "w0")
                .started("new", 0, 100)
                .steps(1, 20)
                .committed(20, "base", 300_000, 30)
                .steps(21, 40)
                .committed(40, "delta", 12_000, 20)
                .steps(41, 57)
                .pass(60_000)
                .attempt(2, "w0")
                .started("resumed", 40, 100)
                .steps(41, 100)
                .committed(100, "delta", 13_000, 20)
                .line(
                        "scored",
                        line -> line.put("step", 100)
                                .put("measure", "accuracy")
                                .put("score", 0.9)
                                .put("testLoss", 0.3))
                .ended("done", 100)
                .write();
    }
}
