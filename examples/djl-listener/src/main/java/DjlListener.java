import ai.djl.Model;
import ai.djl.ndarray.*;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.*;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import ai.djl.training.*;
import ai.djl.training.dataset.*;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import dev.cairn.checkpoint.*;
import dev.cairn.djl.CheckpointListener;

/// A network with dropout, trained by Adam and DJL: kill it, start it again, it ends in the same bits.
public final class DjlListener {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("ai.djl.pytorch.num_threads", "1"); // several do not always add up to the same bits
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(100));
        try (Checkpoints checkpoints = Checkpoints.open(java.nio.file.Path.of(arguments[0]), options);
                Model model = Model.newInstance("network")) {
            NDArray x = model.getNDManager().arange(-64, 64, 0.125f).reshape(-1, 1).sin();
            Dataset data = new ArrayDataset.Builder().setData(x).optLabels(x.square()).setSampling(32, true).build();
            Block hidden = Linear.builder().setUnits(32).build(), output = Linear.builder().setUnits(1).build();
            Block dropout = Dropout.builder().optRate(0.1f).build();
            model.setBlock(new SequentialBlock().add(hidden).add(Activation::relu).add(dropout).add(output));
            Optimizer adam = Optimizer.adam().build();
            CheckpointListener listener = new CheckpointListener(checkpoints, adam, 1);
            var config = new DefaultTrainingConfig(Loss.l2Loss()).optOptimizer(adam).addTrainingListeners(listener);
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(1, 1));
                listener.restore(trainer); // parameters, optimizer, epoch, batch
                System.out.println("begins at step " + listener.step());
                int epochs = Integer.parseInt(arguments[1]) / 32; // of 32 batches each
                EasyTrain.fit(trainer, epochs - (int) listener.epoch(), listener.remaining(data), null);
                NDArray errors = trainer.evaluate(new NDList(x)).head().sub(x.square());
                System.out.printf("ends at step %d, error %s%n", listener.step(), errors.square().mean().getFloat());
            }
        }
    }
}
