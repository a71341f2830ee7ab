import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.ElementType;
import dev.cairn.store.LogRecord.Checkpoint;
import dev.cairn.store.Role;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/// Linear regression by gradient descent with momentum, in a loop of its own. Kill it at any moment and start it again:
/// it goes on where it was and ends in the same bits.
///
///     java -cp 'target/classes:target/lib/*' OwnLoop RUN STEPS
public final class OwnLoop {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;
    private static final int SIZE = 1000;
    private static final int BATCH = 32;
    private static final float RATE = 0.0002f;
    private static final float MOMENTUM = 0.9f;

    public static void main(String[] arguments) throws IOException {
        Path run = Path.of(arguments[0]);
        long steps = Long.parseLong(arguments[1]);
        MemorySegment weights = Arena.global().allocate(FLOAT, SIZE);
        MemorySegment momentum = Arena.global().allocate(FLOAT, SIZE);
        float[] gradient = new float[SIZE];

        // Beside its own memory and its own step, this is all that the loop needs; the README shows these lines.
        TrainingState state = TrainingState.of( // live memory, read and written in place
                LiveTensor.of("weights", Role.WEIGHT, ElementType.FLOAT32, weights, SIZE),
                LiveTensor.of("momentum", Role.FIRST_MOMENT, ElementType.FLOAT32, momentum, SIZE));
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(500));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            long step = checkpoints.restoreLatest(state).map(Checkpoint::step).orElse(0L); // the newest that verifies
            System.out.println("begins at step " + step);
            while (step < steps) {
                computeGradient(weights, step, gradient);
                checkpoints.beforeUpdate(); // waits for a copy under way; without this call, afterStep waits for it
                update(weights, momentum, gradient);
                checkpoints.afterStep(++step, state); // saves when it is time, beside the next pass
            }
            checkpoints.saveNow(step, state); // does not throw where it fails: checkpoints.statistics() tells
            System.out.printf("ends at step %d, weights %08x%n", step, checksum(weights));
        }
    }

    /// The batch of a step follows from the step alone, so that there is no generator to save: y = Σ x, hidden in
    /// noise.
    private static void computeGradient(MemorySegment weights, long step, float[] gradient) {
        var random = new SplittableRandom(step);
        float[] x = new float[SIZE];
        java.util.Arrays.fill(gradient, 0);
        for (int example = 0; example < BATCH; example++) {
            float error = (float) random.nextDouble(-0.1, 0.1);
            for (int i = 0; i < SIZE; i++) {
                x[i] = (float) random.nextDouble(-1, 1);
                error += (weights.getAtIndex(FLOAT, i) - 1) * x[i];
            }
            for (int i = 0; i < SIZE; i++) {
                gradient[i] += error * x[i];
            }
        }
    }

    private static void update(MemorySegment weights, MemorySegment momentum, float[] gradient) {
        for (int i = 0; i < SIZE; i++) {
            float change = MOMENTUM * momentum.getAtIndex(FLOAT, i) - RATE * gradient[i];
            momentum.setAtIndex(FLOAT, i, change);
            weights.setAtIndex(FLOAT, i, weights.getAtIndex(FLOAT, i) + change);
        }
    }

    private static long checksum(MemorySegment memory) {
        var crc = new CRC32C();
        crc.update(memory.asByteBuffer());
        return crc.getValue();
    }
}
