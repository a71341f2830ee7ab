import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.SavePolicy;
import dev.cairn.checkpoint.TrainingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Linear regression by gradient descent with momentum, in its own loop. Kill it at any moment and start it again:
/// it continues where it was and ends with the same bits.
///
///     java -cp 'target/classes:target/lib/*' OwnLoop RUN STEPS
public final class OwnLoop {
    private static final int SIZE = 1000;
    private static final int BATCH = 32;
    private static final float RATE = 0.0002f;
    private static final float MOMENTUM = 0.9f;

    public static void main(String[] arguments) throws IOException {
        Path run = Path.of(arguments[0]);
        long steps = Long.parseLong(arguments[1]);
        float[] weights = new float[SIZE];
        float[] momentum = new float[SIZE];
        float[] gradient = new float[SIZE];

        // Besides its own arrays and its own step, the loop needs only this; the README shows these lines.
        TrainingState state = TrainingState.of( // live arrays, or native memory, read and written in place
                LiveTensor.weight("weights", weights, SIZE),
                LiveTensor.firstMoment("momentum", momentum, SIZE));
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(500));
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            long step = checkpoints.resume(state); // the newest checkpoint that verifies; 0 for a new run
            System.out.println("begins at step " + step);
            while (step < steps) {
                computeGradient(weights, step, gradient);
                checkpoints.beforeUpdate(); // waits for a running copy; without this call, afterStep waits for it
                update(weights, momentum, gradient);
                checkpoints.afterStep(++step, state); // saves if a save is due, in parallel with the next pass
            }
            checkpoints.saveNow(step, state); // returns how it ended; a failed save does not throw
            System.out.printf("ends at step %d, weights %08x%n", step, Arrays.hashCode(weights));
        }
    }

    /// The step alone determines the batch, so there is no generator to save: y = Σ x, hidden in noise.
    private static void computeGradient(float[] weights, long step, float[] gradient) {
        var random = new SplittableRandom(step);
        float[] x = new float[SIZE];
        Arrays.fill(gradient, 0);
        for (int example = 0; example < BATCH; example++) {
            float error = (float) random.nextDouble(-0.1, 0.1);
            for (int i = 0; i < SIZE; i++) {
                x[i] = (float) random.nextDouble(-1, 1);
                error += (weights[i] - 1) * x[i];
            }
            for (int i = 0; i < SIZE; i++) {
                gradient[i] += error * x[i];
            }
        }
    }

    private static void update(float[] weights, float[] momentum, float[] gradient) {
        for (int i = 0; i < SIZE; i++) {
            momentum[i] = MOMENTUM * momentum[i] - RATE * gradient[i];
            weights[i] += momentum[i];
        }
    }
}
