package dev.cairn.dashboard.run;

import dev.cairn.dashboard.story.Attempt;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;

/// Whether a process still trains. Of a process on this host, the system knows. Of others, only the age of their last
/// sign of life tells.
final class Liveness {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /// How exactly the system knows when a process began.
    private static final Duration ROUNDING = Duration.ofSeconds(5);

    private final String host;

    Liveness(String host) {
        this.host = host;
    }

    static Liveness onThisHost() {
        try {
            return new Liveness(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException unnamed) {
            return new Liveness("");
        }
    }

    State of(Attempt attempt, Instant now) {
        return switch (attempt.outcome().orElse("")) {
            case "done" -> State.DONE;
            case "goal" -> State.GOAL;
            case "notice" -> State.STOPPED;
            case "diverged" -> State.DIVERGED;
            case "failed" -> State.FAILED;
            default -> attempt.host().equals(host) ? here(attempt) : elsewhere(attempt, now);
        };
    }

    private static State here(Attempt attempt) {
        boolean alive = attempt.pid() > 0
                && ProcessHandle.of(attempt.pid())
                        .filter(ProcessHandle::isAlive)
                        .flatMap(process -> process.info().startInstant())
                        .filter(begun -> begun.minus(ROUNDING).toEpochMilli()
                                <= attempt.begunTime()) // else another one's number
                        .isPresent();
        return alive ? State.TRAINING : State.KILLED;
    }

    private static State elsewhere(Attempt attempt, Instant now) {
        return attempt.lastTime() >= now.minus(PATIENCE).toEpochMilli() ? State.TRAINING : State.SILENT;
    }
}
