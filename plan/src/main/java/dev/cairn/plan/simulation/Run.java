package dev.cairn.plan.simulation;

import dev.cairn.plan.auto.SavingPolicy;
import dev.cairn.plan.simulation.FailureTimes.Failure;
import java.util.function.DoubleFunction;

/// Simulates one run from start to end, attempt after attempt. Saves run beside the work. A save can be restored once
/// it has finished. Saves that exist only on the nodes' own disks are lost with a node.
final class Run {
    /// The cost of one save at some point of the work.
    ///
    /// @param overhead seconds that it takes from the work
    /// @param latency seconds until it can be restored, unless a node is lost
    /// @param sharedLatency seconds until it can be restored after any failure
    /// @param bytes bytes written
    record Cost(double overhead, double latency, double sharedLatency, double bytes) {
        Cost {
            if (!(overhead >= 0) || !(latency >= overhead) || !(sharedLatency >= latency) || !(bytes >= 0)) {
                throw new IllegalArgumentException("impossible costs: overhead=%s latency=%s shared=%s bytes=%s"
                        .formatted(overhead, latency, sharedLatency, bytes));
            }
        }
    }

    /// The work of a run, and its costs.
    ///
    /// @param step seconds of one step; saves start between two steps
    /// @param cost the cost of a save, as a function of the seconds of work done
    /// @param cap the run is given up after this many seconds
    record Task(double work, double step, double restart, double detection, DoubleFunction<Cost> cost, double cap) {}

    /// The outcome of a run.
    ///
    /// @param kept seconds of work that were done and kept
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

    /// Simulates one attempt, and returns whether it finished the work.
    private boolean attempt() {
        Failure failure = failures.firstAfter(now);
        if (failed > 0 && !passed(failure, task.restart, 0)) {
            return false;
        }
        // Count the interval as if a save had just finished.
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

    /// Returns the seconds of work until the next save may start: after a whole step, and not before the current save
    /// has finished.
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

    /// Advances the time. Returns false if a failure comes first; everything is then as the next attempt finds it.
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

    /// Completes the saves that have finished by this time. The newest save is copied from the nodes to shared storage
    /// as soon as no other copy is running.
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
