package dev.cairn.plan.simulation;

import dev.cairn.plan.auto.SavingPolicy;
import dev.cairn.plan.simulation.FailureTimes.Failure;
import java.util.function.DoubleFunction;

/// One run from its start to its end, attempt after attempt. Saves go on beside the work; a save is of use once it is
/// over, and what was saved only on the nodes' own disks is lost with a node.
final class Run {
    /// What one save takes at some moment of the work.
    ///
    /// @param overhead seconds from the work
    /// @param latency seconds until it can be restored from, unless a node is lost
    /// @param sharedLatency seconds until it can be restored from whatever fails
    /// @param bytes written
    record Cost(double overhead, double latency, double sharedLatency, double bytes) {
        Cost {
            if (!(overhead >= 0) || !(latency >= overhead) || !(sharedLatency >= latency) || !(bytes >= 0)) {
                throw new IllegalArgumentException("impossible costs: overhead=%s latency=%s shared=%s bytes=%s"
                        .formatted(overhead, latency, sharedLatency, bytes));
            }
        }
    }

    /// What there is to do.
    ///
    /// @param step seconds of one step: saves begin between two
    /// @param cost by the work done, in seconds
    /// @param cap after so many seconds the run is given up
    record Task(double work, double step, double restart, double detection, DoubleFunction<Cost> cost, double cap) {}

    /// How it went.
    ///
    /// @param kept seconds of work that are done for good
    /// @param lost seconds of work that were done and lost
    record Outcome(double elapsed, double kept, double lost, double bytes, long failures, long saves) {
        double goodput() {
            return kept / elapsed;
        }
    }

    private final Task task;
    private final FailureTimes failures;
    private SavingPolicy policy;
    private double now;
    private double done;
    private double local;
    private double shared;
    private double upToLocal;
    private double upToShared;
    private double atWork;
    private double lost;
    private double bytes;
    private long failed;
    private long saves;

    private boolean saving;
    private boolean sharing;
    private double sharedWork;
    private double sharedAtWork;
    private double sharedAt;
    private double savedWork;
    private double savedAtWork;
    private double startedAt;
    private Cost cost = new Cost(0, 0, 0, 0);

    private Run(Task task, SavingPolicy policy, FailureTimes failures) {
        this.task = task;
        this.policy = policy;
        this.failures = failures;
    }

    static Outcome of(Task task, SavingPolicy policy, FailureTimes failures) {
        return new Run(task, policy, failures).live();
    }

    private Outcome live() {
        while (!attempt()) {
            if (now >= task.cap) {
                return outcome(task.cap, shared);
            }
        }
        return outcome(Math.min(now, task.cap), now > task.cap ? shared : task.work);
    }

    private Outcome outcome(double elapsed, double kept) {
        return new Outcome(elapsed, kept, lost, bytes, failed, saves);
    }

    /// Whether it got to the end.
    private boolean attempt() {
        Failure failure = failures.firstAfter(now);
        if (failed > 0 && !passed(failure, task.restart, 0)) {
            return false;
        }
        // As if a save had just been made.
        double lastSave = now - task.cost.apply(done).overhead;
        while (true) {
            double toSave = untilSave(lastSave);
            double toEnd = task.work - done;
            double stretch = Math.min(toSave, toEnd);
            double possible = Math.min(stretch, task.cap - now);
            if (!passed(failure, possible, 1)) {
                return false;
            }
            if (possible < stretch) {
                lost += done + possible - shared; // Given up.
                return false;
            }
            done += stretch;
            atWork += stretch;
            policy.worked(stretch);
            if (toEnd <= toSave) {
                return true;
            }
            lastSave = now;
            if (!save(failure)) {
                return false;
            }
        }
    }

    /// Work until the next save may begin: after a whole step, and not before the one under way is over.
    private double untilSave(double lastSave) {
        double due = lastSave + policy.interval();
        double free = saving ? startedAt + cost.latency : now;
        double wait = Math.max(task.step, Math.max(due, free) - now);
        return Double.isInfinite(wait) ? wait : Math.ceil(wait / task.step - 1e-9) * task.step;
    }

    private boolean save(Failure failure) {
        settle(now);
        saving = true;
        savedWork = done;
        savedAtWork = atWork;
        startedAt = now;
        cost = task.cost.apply(done);
        saves++;
        bytes += cost.bytes;
        atWork += cost.overhead;
        policy.worked(cost.overhead);
        return passed(failure, cost.overhead, 0);
    }

    /// Lets time pass; false where a failure came first, and everything is as the next attempt finds it.
    ///
    /// @param speed work done in a second
    private boolean passed(Failure failure, double seconds, double speed) {
        if (failure.time() > now + seconds) {
            now += seconds;
            settle(now);
            return true;
        }
        settle(failure.time());
        double worked = done + speed * Math.max(0, failure.time() - now);
        double back = failure.node() ? shared : local;
        lost += Math.max(0, worked - back);
        done = back;
        atWork = failure.node() ? upToShared : upToLocal;
        local = back;
        shared = Math.min(shared, back);
        saving = false;
        sharing = false;
        failed++;
        now = failure.time() + task.detection;
        policy = policy.afterFailure(atWork);
        return false;
    }

    /// What is over by now. The newest save is copied from the nodes to shared storage as soon as that is free.
    private void settle(double time) {
        if (saving && startedAt + cost.latency <= time) {
            saving = false;
            local = savedWork;
            upToLocal = savedAtWork;
            policy.saved(cost.overhead, cost.latency);
            double free = startedAt + cost.latency;
            settleShared(free);
            if (!sharing) {
                sharing = true;
                sharedWork = savedWork;
                sharedAtWork = savedAtWork;
                sharedAt = free + cost.sharedLatency - cost.latency;
            }
        }
        settleShared(time);
    }

    private void settleShared(double time) {
        if (sharing && sharedAt <= time) {
            sharing = false;
            shared = sharedWork;
            upToShared = sharedAtWork;
        }
    }
}
