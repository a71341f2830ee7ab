package dev.cairn.app.team;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Tally;
import dev.cairn.observe.TrainingEvent;
import dev.cairn.observe.TrainingObserver;
import dev.cairn.store.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Turns what the supervisor tells the leader about the team into events of the run.
///
/// @param step the last finished step
/// @param servers how many of the first members are parameter servers
public record TeamEvents(TrainingObserver observer, LongSupplier step, Clock clock, int servers) {
    private static final double NANOS_PER_SECOND = 1e9;

    public void recovered(Failure failure) {
        observer.on(new TrainingEvent.Recovered(
                clock.now(),
                failure.step(),
                TeamReport.name(failure.rank(), servers),
                failure.cause().name().toLowerCase(Locale.ROOT),
                time(failure.detectedSeconds()),
                time(failure.recoveredSeconds()),
                failure.stepsLost(),
                failure.source().name().toLowerCase(Locale.ROOT)));
    }

    public void summarized(List<Tally> members) {
        for (int rank = servers; rank < members.size(); rank++) {
            Tally done = members.get(rank);
            observer.on(new TrainingEvent.Worked(
                    clock.now(),
                    step.getAsLong(),
                    TeamReport.name(rank, servers),
                    done.steps(),
                    done.examples(),
                    done.loss(),
                    time(done.teamSeconds()),
                    time(done.waitSeconds()),
                    count(done.sentBytes()),
                    count(done.receivedBytes()),
                    done.ownPace().accuracy(),
                    done.ownPace().meanAge(),
                    done.ownPace().largestAge()));
        }
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    }

    private static OptionalLong count(@Nullable Long bytes) {
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
    }
}
