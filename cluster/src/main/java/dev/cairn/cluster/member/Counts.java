package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Tally;
import dev.cairn.engine.group.ProcessGroup;
import dev.cairn.engine.group.Traffic;
import dev.cairn.store.Clock;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Counts what a member does. The training thread counts; any thread may read.
final class Counts {
    /// To look at the traffic takes some calls of the system for each connection.
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;
    private long steps;
    private long examples;
    private double loss = Double.NaN;
    private long teamNanos;
    private long waitNanos;

    /// Of the groups before.
    private @Nullable Traffic before;

    private @Nullable Traffic now;
    private @Nullable ProcessGroup group;
    private long formedNanos;
    private long lookedNanos;
    private volatile Tally tally = Tally.NONE;

    Counts(Clock clock) {
        this.clock = clock;
    }

    Tally tally() {
        return tally;
    }

    void formed(ProcessGroup formed) {
        group = formed;
        formedNanos = clock.nanos();
        lookedNanos = formedNanos;
    }

    /// Notes that the process is about to leave its group.
    void leaves() {
        if (group != null) {
            look();
            teamNanos += clock.nanos() - formedNanos;
            before = now;
            group = null;
            publish();
        }
    }

    /// Does something that waits for the others, and counts the time.
    void waiting(Runnable exchange) {
        long began = clock.nanos();
        try {
            exchange.run();
        } finally {
            waitNanos += clock.nanos() - began;
        }
    }

    /// Notes a step that was made with this share of the batch.
    ///
    /// @param lossOfAll the sum of the losses of the examples
    void stepMade(int count, float lossOfAll) {
        steps++;
        examples += count;
        loss = count == 0 ? Double.NaN : lossOfAll / count;
        if (clock.nanos() - lookedNanos >= LOOK.toNanos()) {
            look();
            publish();
        }
    }

    /// Brings the tally up to date.
    void finish() {
        look();
        publish();
    }

    private void look() {
        lookedNanos = clock.nanos();
        Optional<Traffic> carried = group == null ? Optional.empty() : group.traffic();
        Traffic earlier = before == null ? new Traffic(0, 0) : before;
        carried.ifPresent(told -> now =
                new Traffic(earlier.sentBytes() + told.sentBytes(), earlier.receivedBytes() + told.receivedBytes()));
    }

    private void publish() {
        long inGroup = teamNanos + (group == null ? 0 : clock.nanos() - formedNanos);
        tally = new Tally(
                steps,
                examples,
                loss,
                inGroup / NANOS_PER_SECOND,
                waitNanos / NANOS_PER_SECOND,
                now == null ? null : (Long) now.sentBytes(),
                now == null ? null : (Long) now.receivedBytes());
    }
}
