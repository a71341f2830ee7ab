package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.VectorLoop;
import dev.cairn.codec.VectorWarmUp;
import dev.cairn.store.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A process in which no loop is hot yet. It opens a run with a small state, then with a large one, and prints what was
/// hot then.
final class ColdProcess {
    private static final Duration LONG = Duration.ofMinutes(4);

    private ColdProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path run = Path.of(arguments[0]);
        boolean underWay;
        try (Checkpoints checkpoints = open(run)) {
            checkpoints.restoreLatest(state(15));
            checkpoints.afterStep(1, state(15));
            underWay = isUnderWay();
        }
        System.out.printf("small: %d hot, under way: %b%n", hot(), underWay);
        long end = System.nanoTime() + LONG.toNanos();
        long saved = 0;
        // On a busy machine a warm-up may give up; the next run begins another.
        while (hot() < loops().size() && System.nanoTime() < end) {
            try (Checkpoints checkpoints = open(run)) {
                checkpoints.restoreLatest(state(16));
                VectorWarmUp.await(LONG);
                saved += checkpoints.statistics().committed();
            }
        }
        System.out.printf("large: %s hot, saved: %d%n", hot() == loops().size() ? "all" : hot(), saved);
    }

    static List<VectorLoop> loops() {
        return EncodingLoops.of(new Codec.Lossless());
    }

    private static long hot() {
        return loops().stream().filter(loop -> loop.isHot(0)).count();
    }

    static boolean isUnderWay() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("cairn-warm-up"));
    }

    static TrainingState state(int megabytes) {
        var weights = new float[megabytes << 18];
        return TrainingState.of(LiveTensor.of("w", Role.WEIGHT, weights, weights.length));
    }

    static Checkpoints open(Path run) throws IOException {
        return Checkpoints.open(run, CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(1000)));
    }
}
