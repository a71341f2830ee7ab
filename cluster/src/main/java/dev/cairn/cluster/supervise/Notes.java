package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.hosts.Host;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/// What a supervisor tells people, each in one line.
final class Notes {
    private Notes() {}

    static String died(Member dead, TeamPlan plan, long step) {
        return "%s died (process %d, %s) after step %d; another process %s"
                .formatted(
                        dead.label(),
                        dead.process().pid(),
                        how(dead),
                        step,
                        plan.spares() > 0 ? "takes its place" : "is started");
    }

    /// @param workers the number of workers that train now
    static String recovered(Failure failure, TeamPlan plan, int workers) {
        return String.format(
                Locale.ROOT,
                "%d %s together again, %.1f s after %s was found gone; %s",
                workers,
                workers == 1 ? "worker trains" : "workers train",
                failure.recoveredSeconds(),
                plan.name(failure.rank()),
                failure.stepsLost() == 0
                        ? "no step is lost"
                        : "%d steps are made again".formatted(failure.stepsLost()));
    }

    static String fewer(int workers, TeamPlan plan, long step) {
        return "%d of %d workers go on from step %d; from here on the result has other roundings than that of an undisturbed training"
                .formatted(workers, plan.workers(), step);
    }

    static String more(int workers, TeamPlan plan, long step) {
        return "%d of %d workers train together from step %d".formatted(workers, plan.workers(), step);
    }

    static String tooManyDeaths(Restarts restarts, Member last) {
        return "%d processes in a row died at step %d, the last of %s; the checkpoints up to there are kept; see above, and look into the system's log for the cause"
                .formatted(restarts.deaths(), restarts.step(), how(last));
    }

    private static String how(Member dead) {
        int signal = dead.code() - Supervisor.FIRST_SIGNAL;
        return signal > 0 ? "signal " + signal : "exit code " + dead.code();
    }

    static String fromCheckpoint(long step) {
        return "no worker has the state of the last finished step any more; the training continues from step %d, the last checkpoint"
                .formatted(step);
    }

    static String partDied(Member part, Member leader) {
        return "%s had a part of the weights; %s is ended, too, and all of them are restored"
                .formatted(part.label(), leader.label());
    }

    static String silent(Member member, Duration silence) {
        return "%s (process %d) gave no sign of life for %d s and is ended"
                .formatted(member.label(), member.process().pid(), silence.toSeconds());
    }

    static String odd(Message.Odd odd, int workers) {
        if (odd.ranks().size() == workers) {
            return "the workers have different states at step %d, and no majority has the same; nothing of it is saved; all are replaced and continue from the last checkpoint"
                    .formatted(odd.step());
        }
        String names = odd.ranks().stream().map(rank -> "w" + rank).collect(Collectors.joining(", "));
        return "%s: another state than that of the others at step %d; nothing of it is saved; another process takes its place"
                .formatted(names, odd.step());
    }

    static String beforeTheFirstStep(String reason) {
        return "stopped on %s before the first step: nothing was trained or saved; start the same command again to continue"
                .formatted(reason);
    }

    static String withoutSave(StopOrder stop) {
        return "stopped on %s without a last save: %s; the checkpoints so far are kept; start the same command again"
                .formatted(stop.reason(), stop.why());
    }

    static String hostJoined(Host host, int there, int count) {
        return "%s has joined; %d of %d hosts are there".formatted(host.name(), there, count);
    }

    static String hostLost(Host host, boolean silent, Duration silence) {
        return silent
                ? "%s gave no sign of life for %d s: its processes are lost; start the same command there again when it is back"
                        .formatted(host.name(), silence.toSeconds())
                : "%s is gone, and its processes with it; start the same command there again when it is back"
                        .formatted(host.name());
    }

    static String clock(Host host, Duration ahead) {
        return "warning: the clock of %s is %d s %s that of this host; the training does not depend on it, but times in its records will differ; set both clocks (NTP)"
                .formatted(host.name(), ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of");
    }
}
