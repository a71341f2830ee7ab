package dev.cairn.s3.crash;

import dev.cairn.s3.server.AtomicS3;
import dev.cairn.s3.server.Fault;
import java.util.Random;

/// Faults by chance, and the death of the process at one of its requests.
final class FaultPlan implements AtomicS3.Plan {
    private static final Fault[] FAULTS = Fault.values();

    private final Random random;
    private final double rate;
    private int untilDeath;
    private int faults;
    private Runnable death = () -> {};

    /// @param rate of requests that go wrong
    /// @param untilDeath how many requests until the process dies; more than it makes, and it does not
    FaultPlan(long seed, double rate, int untilDeath) {
        this.random = new Random(seed);
        this.rate = rate;
        this.untilDeath = untilDeath;
    }

    /// What to do then.
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
            // The last request may have got through, or not, or may be on its way.
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
