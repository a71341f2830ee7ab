package dev.cairn.checkpoint;

import dev.cairn.store.LogRecord.Checkpoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Counts what was saved and is not in the copy yet. For several threads.
final class LagCount {
    private final Timekeeper time;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private long copiedStep;

    LagCount(Timekeeper time) {
        this.time = time;
    }

    private record Waiting(long number, long step, long nanos) {}

    synchronized void saved(Checkpoint checkpoint) {
        waiting.add(new Waiting(checkpoint.position(), checkpoint.step(), time.nanos()));
    }

    /// This one is copied, and so is what it needs; those before it are not worth copying any more.
    synchronized void copied(Checkpoint checkpoint) {
        waiting.removeIf(each -> each.number() <= checkpoint.position());
        copiedStep = checkpoint.step();
    }

    synchronized CopyLag lag() {
        if (waiting.isEmpty()) {
            return CopyLag.NONE;
        }
        return new CopyLag(
                waiting.size(),
                Math.max(0, waiting.getLast().step() - copiedStep),
                Duration.ofNanos(time.nanos() - waiting.getFirst().nanos()));
    }
}
