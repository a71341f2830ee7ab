import ai.djl.Model;
import ai.djl.ndarray.*;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.*;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import ai.djl.training.*;
import ai.djl.training.dataset.*;
import ai.djl.training.loss.Loss;
import dev.cairn.checkpoint.*;
import dev.cairn.djl.CheckpointListener;

/// A network with dropout, trained by Adam and DJL. Kill it and start it again: it ends with the same bits.
public final class DjlListener {
    public static void main(String[] arguments) throws Exception {
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(100));
        try (Checkpoints checkpoints = Checkpoints.open(java.nio.file.Path.of(arguments[0]), options);
                Model model = Model.newInstance("network")) {
            NDArray x = model.getNDManager().arange(-64, 64, 0.125f).reshape(-1, 1).sin();
            Dataset data = new ArrayDataset.Builder().setData(x).optLabels(x.square()).setSampling(32, true).build();
            Block in = Linear.builder().setUnits(32).build(), out = Linear.builder().setUnits(1).build();
            model.setBlock(new SequentialBlock().add(in).add(Activation::relu).add(Dropout.builder().build()).add(out));
            Loss squares = new Loss("squares") { // no Java number: DJL may free one before the backward pass
                public NDArray evaluate(NDList y, NDList of) { return y.head().sub(of.head()).square().mean(); }
            };
            var adam = ai.djl.training.optimizer.Optimizer.adam().build();
            CheckpointListener listener = new CheckpointListener(checkpoints, adam, 1);
            var config = new DefaultTrainingConfig(squares).optOptimizer(adam).addTrainingListeners(listener);
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(1, 1));
                listener.restore(trainer); // parameters, optimizer, epoch, batch
                System.out.println("begins at step " + listener.step());
                int epochs = Integer.parseInt(arguments[1]) / 32; // 32 batches each
                EasyTrain.fit(trainer, epochs - (int) listener.epoch(), listener.remaining(data), null);
                NDArray error = squares.evaluate(new NDList(x.square()), trainer.evaluate(new NDList(x)));
                System.out.printf("ends at step %d, error %s%n", listener.step(), error.getFloat());
            }
        }
    }
}
