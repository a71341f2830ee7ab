import dev.cairn.checkpoint.*;
import dev.cairn.tensorflow.session.SessionState;
import java.nio.file.Path;
import org.tensorflow.*;
import org.tensorflow.op.*;
import org.tensorflow.op.core.*;
import org.tensorflow.types.*;

/// Regression with momentum in its own session. Kill it and start it again: it ends with the same bits.
public final class TensorFlowSession {
    public static void main(String[] arguments) throws Exception {
        SessionState.loadLibraries(); // before the first use: so a kill cannot leave an incomplete library
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(200));
        try (Graph graph = new Graph();
                Session session = new Session(graph);
                Checkpoints checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            Ops tf = Ops.create(graph);
            Operand<TInt32> shape = tf.constant(new int[] {64, 1});
            Variable<TFloat32> weights = tf.withName("weights").variable(tf.zeros(shape, TFloat32.class));
            Variable<TFloat32> momentum = tf.withName("momentum").variable(tf.zeros(shape, TFloat32.class));
            Placeholder<TInt64> seed = tf.placeholder(TInt64.class); // the step determines the batch
            Operand<TFloat32> x = tf.random.statelessRandomNormal(tf.constant(new int[] {32, 64}), seed);
            Operand<TFloat32> y = tf.math.sin(tf.reduceSum(x, tf.constant(1), ReduceSum.keepDims(true)));
            Operand<TFloat32> errors = tf.math.squaredDifference(tf.linalg.matMul(x, weights), y);
            Operand<TFloat32> loss = tf.math.mean(errors, tf.constant(new int[] {0, 1}));
            Operand<TFloat32> gradient = tf.gradients(loss, java.util.List.of(weights)).dy(0);
            Op update = tf.train.applyMomentum(weights, momentum, tf.constant(0.001f), gradient, tf.constant(0.9f));
            SessionState state = SessionState.of(session); // all variables of the graph
            long step = checkpoints.resume(state);
            System.out.println("begins at step " + step);
            for (long steps = Long.parseLong(arguments[1]); step < steps; checkpoints.afterStep(++step, state))
                try (TInt64 batch = TInt64.vectorOf(1, step);
                        Result fetched = session.runner().feed(seed, batch).addTarget(update).fetch(loss).run()) {
                    if (step == steps - 1) System.out.println("loss " + ((TFloat32) fetched.get(0)).getFloat());
                }
            checkpoints.saveNow(step, state);
        }
    }
}
