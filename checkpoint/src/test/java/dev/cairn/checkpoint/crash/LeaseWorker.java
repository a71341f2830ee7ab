package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.retention.Retention;
import dev.cairn.store.right.WriterClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A process that holds a run with a lease and saves as fast as it can, until another process takes over the run.
final class LeaseWorker {
    static final int OVERTAKEN = 7;
    static final Duration TTL = Duration.ofMillis(1200);

    private LeaseWorker() {}

    static CheckpointOptions options() {
        return CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withRetention(Retention.parse("all"))
                .withoutLog()
                .withClaim(WriterClaim.usual()
                        .withLocking(WriterClaim.Locking.LEASE)
                        .withTtl(TTL));
    }

    static SyntheticState state() {
        return new SyntheticState(5, 1500);
    }

    // Deliberately endless: the process is stopped or killed.
    @SuppressWarnings("InfiniteLoopStatement")
    public static void main(String[] arguments) throws IOException {
        SyntheticState state = state();
        try (Checkpoints checkpoints = Checkpoints.open(Path.of(arguments[0]), options())) {
            checkpoints.restoreLatest(state);
            while (true) {
                state.at(state.step() + 1);
                checkpoints.saveNow(state.step(), state);
                System.out.println("saved " + state.step());
            }
        } catch (CommitConflictException overtaken) {
            System.out.println("stopped: " + overtaken.getMessage());
            System.exit(OVERTAKEN);
        }
    }
}
