package dev.cairn.observe;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.checkpoint.CopyLag;
import dev.cairn.observe.TrainingProgress.Snapshot;
import dev.cairn.store.Clock;
import dev.cairn.store.blob.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// `progress.jsonl` in the folder of the run: one line every two seconds, the newest last, for schedulers and
/// scripts.
///
/// The file starts again from the beginning when it reaches one megabyte. If it cannot be written, the training
/// continues without it. A link or a pipe with its name is not opened: a link would lead to another file, and a
/// pipe would block until something reads it.
public final class ProgressFile implements Recorder {
    private static final long FIRST_MILLIS = 500;
    private static final long INTERVAL_MILLIS = 2000;
    private static final long LARGEST_BYTES = 1 << 20;

    private final Path file;
    private final TrainingProgress progress;
    private final Clock clock;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("cairn-progress").daemon(true).factory());

    /// Writes to the folder of this run.
    ///
    /// @param progress the progress to write
    public ProgressFile(Path run, TrainingProgress progress, Clock clock) {
        this.file = run.resolve(RunFiles.PROGRESS);
        this.progress = progress;
        this.clock = clock;
    }

    @Override
    public void on(TrainingEvent event) {
        if (event instanceof TrainingEvent.Started) {
            Future<?> _ =
                    thread.scheduleWithFixedDelay(this::write, FIRST_MILLIS, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /// Writes the last line, unless there is no progress yet.
    @Override
    public void close() {
        if (!thread.isShutdown()) {
            thread.shutdownNow();
            write();
        }
    }

    private synchronized void write() {
        progress.now().ifPresent(this::write);
    }

    private void write(Snapshot now) {
        try {
            boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
            if (there && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            boolean full = there && Files.size(file) > LARGEST_BYTES;
            Files.writeString(
                    file,
                    line(now) + "\n",
                    UTF_8,
                    StandardOpenOption.CREATE,
                    full ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
        } catch (IOException unwritten) {
            // The next line may succeed. If the disk has a problem, failed saves report it.
        }
    }

    private String line(Snapshot now) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("step", now.step()).put("steps", now.steps());
        putNumber(line, "loss", now.loss());
        putNumber(line, now.measure(), now.score());
        now.copyLag().ifPresent(lag -> putLag(line, lag));
        return line.put("checkpoints", now.checkpoints())
                .put("remainingSeconds", now.remainingSeconds())
                .put("time", clock.now().toString())
                .toString();
    }

    /// JSON has no NaN.
    private static void putNumber(ObjectNode line, String key, double value) {
        if (Double.isFinite(value)) {
            line.put(key, value);
        } else {
            line.putNull(key);
        }
    }

    private static void putLag(ObjectNode line, CopyLag lag) {
        line.put("copyReachable", lag.reachable())
                .put("copyKept", lag.kept())
                .put("copyLagCheckpoints", lag.checkpoints())
                .put("copyLagSteps", lag.steps().isPresent() ? lag.steps().getAsLong() : null)
                .put("copyLagSeconds", lag.time().toNanos() / 1e9);
    }
}
