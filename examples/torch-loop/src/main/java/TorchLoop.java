import dev.cairn.checkpoint.*;
import dev.cairn.torch.TorchState;
import java.nio.file.Path;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.*;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.global.torch;

/// A network with dropout, trained by Adam, in its own loop. Kill it and start it again: it ends with the same bits.
public final class TorchLoop {
    public static void main(String[] arguments) throws Exception {
        TorchState.loadLibraries(); // before the first use: so a kill cannot leave an incomplete library
        torch.manual_seed(1);
        Module module = new Module();
        LinearImpl hidden = module.register_module("hidden", new LinearImpl(8, 64));
        LinearImpl output = module.register_module("output", new LinearImpl(64, 1));
        Adam optimizer = new Adam(module.parameters(), new AdamOptions(0.001));
        TorchState state = TorchState.of(module, optimizer); // parameters, buffers, optimizer, random generator
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(200));
        try (Checkpoints checkpoints = Checkpoints.open(Path.of(arguments[0]), options)) {
            long step = checkpoints.resume(state);
            System.out.println("begins at step " + step);
            float loss = 0;
            for (long steps = Long.parseLong(arguments[1]); step < steps; checkpoints.afterStep(++step, state)) {
                try (PointerScope scope = new PointerScope()) {
                    Tensor x = torch.randn(32, 8); // a batch from the generator, whose state is saved
                    Tensor y = output.forward(torch.dropout(torch.relu(hidden.forward(x)), 0.1, true));
                    Tensor error = torch.mse_loss(y, x.sum(1).sin().unsqueeze(1));
                    optimizer.zero_grad();
                    error.backward();
                    optimizer.step();
                    loss = error.item_float();
                }
            }
            checkpoints.saveNow(step, state);
            System.out.printf("ends at step %d, loss %s%n", step, loss);
        }
    }
}
