package dev.cairn.cluster.supervise;

import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.cluster.control.Message;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The notices that a job has got, and until when its last save may take.
final class StopOrder {
    /// How long after the end of the time the processes may still take to end by themselves.
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(15);

    /// Within this time, the same signal to several processes is one notice.
    private static final Duration ONE_EVENT = Duration.ofSeconds(2);

    private static final int GIVE_UP_THE_SAVE = 2;

    private final Duration usualTime;
    private @Nullable Notice first;
    private int count;
    private boolean byHand;
    private long firstNanos;
    private long endNanos = Long.MAX_VALUE;

    /// When the machine is gone, as far as a notice said.
    private @Nullable Long deadlineNanos;

    StopOrder(Duration usualTime) {
        this.usualTime = usualTime;
    }

    /// Adds a notice. Those that do not insist count as one, and so does one that insists right after them: a
    /// terminal sends the same signal to this process and to all members.
    void add(Notice notice, long nanos) {
        boolean same = first != null && !byHand && nanos - firstNanos < ONE_EVENT.toNanos();
        if (first == null) {
            first = notice;
            firstNanos = nanos;
            Duration left = notice.timeLeft() == null ? usualTime : notice.timeLeft();
            endNanos = nanos + left.plus(LAST_PATIENCE).toNanos();
        }
        if (notice.timeLeft() != null) {
            long told = nanos + notice.timeLeft().toNanos();
            deadlineNanos = deadlineNanos == null ? told : Math.min(deadlineNanos, told);
        }
        count += count == 0 || (notice.insists() && !same) ? 1 : 0;
        byHand |= notice.insists();
    }

    boolean isGiven() {
        return first != null;
    }

    /// Whether the last save is given up.
    boolean insists() {
        return count >= GIVE_UP_THE_SAVE;
    }

    /// Whether the processes are ended at once.
    boolean isFinal(long nanos) {
        return count > GIVE_UP_THE_SAVE || nanos >= endNanos;
    }

    /// What to tell a member now.
    Message.Stop order(String reason, long nanos) {
        Double left = deadlineNanos == null ? null : Math.max(0, deadlineNanos - nanos) / 1e9;
        return new Message.Stop(reason, left, insists());
    }

    String why() {
        return count > GIVE_UP_THE_SAVE ? "a third notice came" : "its time had run out";
    }

    String reason() {
        return first == null ? "a notice" : first.reason();
    }
}
