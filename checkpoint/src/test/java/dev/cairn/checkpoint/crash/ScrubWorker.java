package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Scrubbing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A process to be killed: opens a run and scrubs it again and again. Says in a line what it found.
final class ScrubWorker {
    static final String OPEN = "open";
    static final String REWRITTEN = "rewritten";

    private static final Scrubbing OFTEN = new Scrubbing.Every(Duration.ofMillis(20), 30_000_000);

    private ScrubWorker() {}

    // Unending on purpose: the process is killed.
    @SuppressWarnings("InfiniteLoopStatement")
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options =
                CheckpointOptions.defaults().withScrubbing(OFTEN).withoutLog().withListener(ScrubWorker::heard);
        try (Checkpoints checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            System.out.println(OPEN);
            while (checkpoints.count() > 0) {
                Thread.sleep(1000);
            }
        }
    }

    private static void heard(CheckpointEvent event) {
        System.out.println(event instanceof CheckpointEvent.Rewritten ? REWRITTEN : "WRONG " + event);
    }
}
