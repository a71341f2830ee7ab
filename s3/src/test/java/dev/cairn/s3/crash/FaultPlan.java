package dev.cairn.s3.crash;

import dev.cairn.s3.server.AtomicS3;
import dev.cairn.s3.server.Fault;
import java.util.Random;

/// Random faults, and the death of the process at one of its requests.
final class FaultPlan implements AtomicS3.Plan {
    private static final Fault[] FAULTS = Fault.values();

    private final Random random;
    private final double rate;
    private int untilDeath;
    private int faults;
    private Runnable death = () -> {};

    /// @param rate share of requests that fail
    /// @param untilDeath number of requests until the process dies; if the process makes fewer requests, it
    /// survives
    FaultPlan(long seed, double rate, int untilDeath) {
        this.random = new Random(seed);
        this.rate = rate;
        this.untilDeath = untilDeath;
    }

    /// Sets the action on death.
    synchronized void onDeath(Runnable action) {
        death = action;
    }

    synchronized int faults() {
        return faults;
    }

    synchronized boolean isDead() {
        return untilDeath <= 0;
    }

    @Override
    public synchronized Fault next(String kind, String key) {
        if (--untilDeath == 0) {
            death.run();
            // The last request may have taken effect, or not, or may take effect later.
            return switch (random.nextInt(3)) {
                case 0 -> Fault.CUT_BEFORE;
                case 1 -> Fault.CUT_AFTER;
                default -> Fault.LATE;
            };
        }
        if (random.nextDouble() >= rate) {
            return Fault.NONE;
        }
        Fault fault = FAULTS[random.nextInt(FAULTS.length)];
        faults += fault == Fault.NONE ? 0 : 1;
        return fault;
    }
}
