package dev.cairn.cluster.supervise;

import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Failure.Cause;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Tally;
import dev.cairn.cluster.hosts.RemoteProcess;
import dev.cairn.cluster.job.JobProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A process that the supervisor started, as far as the supervisor knows it. Only the supervisor's thread uses it, but
/// any thread may ask for its label.
final class Member {
    /// What a member is doing.
    enum Phase {
        /// Loads Java and the engine.
        STARTING,
        /// Has loaded the engine, and no part yet.
        READY,
        /// Has a part: loads its data, builds its model, restores.
        PREPARING,
        /// Could be in a group at once.
        WAITING,
        /// Is in a group that is forming.
        FORMING,
        /// Is in a group.
        TRAINING,
        /// Its process has ended.
        GONE
    }

    private final int number;
    private final Process process;
    private final TeamPlan plan;
    private String server = "";
    private volatile int rank = -1;
    private volatile long step;
    private volatile Phase phase = Phase.STARTING;
    private @Nullable Connection connection;
    private long progress = -1;
    private long lastBeatNanos;
    private long graceMillis;
    private boolean leads;
    private boolean holds;
    private boolean survivor;
    private boolean exited;
    private boolean left;
    private boolean finished;
    private boolean summarized;
    private int code;
    private Tally tally = Tally.NONE;

    /// Why the supervisor ended it; null if it did not.
    private @Nullable Cause ended;

    private long endedNanos;
    private long silentNanos;

    Member(int number, Process process, TeamPlan plan) {
        this.number = number;
        this.process = process;
        this.plan = plan;
    }

    int number() {
        return number;
    }

    Process process() {
        return process;
    }

    /// The rank; −1 for a spare.
    int rank() {
        return rank;
    }

    String label() {
        return rank >= 0 ? plan.name(rank) : "s" + number;
    }

    /// Its label, its process, and its host if that is another one.
    String fullName() {
        String where = process instanceof RemoteProcess remote ? " on " + remote.host() : "";
        return "%s, process %d%s".formatted(label(), process.pid(), where);
    }

    Phase phase() {
        return phase;
    }

    JobProcess process(boolean wasTrained) {
        String state = switch (phase) {
            case STARTING, PREPARING, GONE -> "starting";
            case READY -> "ready";
            case WAITING, FORMING -> rank < 0 || !wasTrained ? "ready" : "recovering";
            case TRAINING -> "training";
        };
        String role = rank < 0 ? "spare" : plan.role(rank);
        int place = rank < 0 ? rank : plan.rankInRole(rank);
        return process instanceof RemoteProcess remote
                ? new JobProcess(label(), role, place, remote.pid(), remote.startMillis(), step, state, remote.host())
                : JobProcess.of(process.toHandle(), label(), role, place, step, state);
    }

    long step() {
        return step;
    }

    long progress() {
        return progress;
    }

    long graceMillis() {
        return graceMillis;
    }

    /// Whether it was in a group before.
    boolean isSurvivor() {
        return survivor;
    }

    /// Whether it is in a group, or was in one before.
    boolean isInOrAfterAGroup() {
        return survivor || phase == Phase.FORMING || phase == Phase.TRAINING;
    }

    /// Whether it waits for a group, and is not about to end.
    boolean isFree() {
        return phase == Phase.WAITING && ended == null;
    }

    /// Whether it takes part in the next group without anything to load first, or opens the run for it.
    boolean isThere() {
        return ended == null
                && switch (phase) {
                    case WAITING, FORMING, TRAINING -> true;
                    case PREPARING -> leads;
                    case STARTING, READY, GONE -> false;
                };
    }

    /// The address of its parameter server; empty if it has none.
    String server() {
        return server;
    }

    void serves(String address) {
        server = address;
    }

    boolean leads() {
        return leads;
    }

    int code() {
        return code;
    }

    boolean isConnected() {
        return connection != null;
    }

    /// Whether its process has ended and all that it said was heard.
    boolean isGone() {
        return exited && (left || connection == null);
    }

    /// Nanoseconds since its last sign of life.
    long silentNanos(long now) {
        return now - lastBeatNanos;
    }

    void joined(Connection joined, long now) {
        connection = joined;
        lastBeatNanos = now;
    }

    void heard(long now) {
        lastBeatNanos = now;
    }

    void beat(Message.Beat beat, long now) {
        lastBeatNanos = now;
        step = Math.max(step, beat.step());
        graceMillis = beat.graceMillis();
    }

    /// Notes what it has done until now, and returns what is new of that.
    Tally tallied(Tally now) {
        Tally done = now.since(tally);
        tally = now;
        return done;
    }

    /// What it has used until now.
    Stragglers.Use use() {
        double processor = process instanceof RemoteProcess remote
                ? remote.processorSeconds()
                : process.toHandle()
                        .info()
                        .totalCpuDuration()
                        .map(Member::seconds)
                        .orElse(0.0);
        return new Stragglers.Use(number, rank, tally, processor);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    /// Notes that it has finished this step.
    void reached(long finishedStep) {
        step = Math.max(step, finishedStep);
    }

    /// Notes that it has trained to the end.
    void finish() {
        finished = true;
    }

    boolean hasFinished() {
        return finished;
    }

    /// Gives it the summary, once.
    void summarize(Message.Summary summary) {
        if (!summarized) {
            summarized = true;
            tell(summary);
        }
    }

    /// Notes that the supervisor ends it.
    void end(Cause cause, long now) {
        if (ended == null) { // it may be silent itself, and then its host
            ended = cause;
            endedNanos = now;
            silentNanos = silentNanos(now);
        }
        lastBeatNanos = now; // it needs to be ended only once
    }

    /// Its death, as it was noticed now or when the supervisor ended it.
    Failures.Death death(long finishedStep, long now) {
        Cause cause = ended;
        return cause == null
                ? new Failures.Death(rank, Cause.DIED, finishedStep, silentNanos(now), now)
                : new Failures.Death(rank, cause, finishedStep, silentNanos, endedNanos);
    }

    void waits(Message.Waiting waiting) {
        phase = Phase.WAITING;
        finished = false;
        summarized = false;
        progress = waiting.progress();
        survivor = waiting.generation() > 0;
        step = waiting.step();
    }

    void become(Phase next) {
        phase = next;
    }

    /// @param place the new rank; −1 for none
    void takeRank(int place) {
        rank = place;
    }

    void lead() {
        leads = true;
        phase = Phase.PREPARING;
    }

    /// Whether it has a part of the weights, as one of several parameter servers.
    boolean holds() {
        return holds;
    }

    void hold() {
        holds = true;
        phase = Phase.PREPARING;
    }

    void exited(int exitCode) {
        exited = true;
        code = exitCode;
    }

    void left() {
        left = true;
    }

    void tell(Message message) {
        if (connection != null) {
            connection.send(message);
        }
    }

    /// Closes its connection, because its host is lost: nothing comes from there any more.
    void hangUp() {
        if (connection != null) {
            connection.close();
        }
    }

    /// Ends its process at once.
    void kill() {
        process.destroyForcibly();
    }
}
