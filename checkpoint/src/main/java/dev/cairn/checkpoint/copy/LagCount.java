package dev.cairn.checkpoint.copy;

import dev.cairn.checkpoint.CopyLag;
import dev.cairn.store.Clock;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.log.LogRecord.Commit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/// Counts the saved checkpoints that are not in the copy yet. Thread-safe.
final class LagCount {
    private final Clock time;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private OptionalLong copiedStep = OptionalLong.empty();
    private boolean reachable = true;
    private boolean kept = true;

    LagCount(Clock time) {
        this.time = time;
    }

    private record Waiting(long number, long step, long nanos) {}

    synchronized void saved(Commit checkpoint) {
        waiting.add(new Waiting(checkpoint.position(), checkpoint.step(), time.nanos()));
    }

    /// Notes that the copy was inspected, and that its newest checkpoint of this run has this step.
    synchronized void found(long step) {
        copiedStep = OptionalLong.of(step);
        reachable = true;
    }

    /// Notes that this checkpoint and what it needs are copied. Earlier ones need no copy any more.
    synchronized void copied(Commit checkpoint) {
        waiting.removeIf(each -> each.number() <= checkpoint.position());
        found(checkpoint.step());
    }

    synchronized void failed(Throwable cause) {
        kept = !(cause instanceof CommitConflictException);
        reachable = !(cause instanceof StorageUnavailableException);
    }

    /// Whether the contents of the copy are known.
    synchronized boolean isKnown() {
        return copiedStep.isPresent();
    }

    synchronized CopyLag lag() {
        if (waiting.isEmpty()) {
            return CopyLag.NONE;
        }
        return new CopyLag(
                waiting.size(),
                copiedStep.isEmpty()
                        ? copiedStep
                        : OptionalLong.of(Math.max(0, waiting.getLast().step() - copiedStep.getAsLong())),
                Duration.ofNanos(time.nanos() - waiting.getFirst().nanos()),
                reachable,
                kept);
    }
}
