import dev.cairn.checkpoint.*;
import dev.cairn.checkpoint.group.GroupCheckpoints;
import dev.cairn.store.location.RunLocation;
import dev.cairn.torch.TorchGroup;
import dev.cairn.torch.TorchState;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.*;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.global.torch;

/// Several processes that train one network in their own loop. Kill any of them and start all again: it ends with the
/// same bits. Arguments: the run, the number of steps, the rank of this process, their number, a new file where they
/// meet.
public final class TorchGroupLoop {
    public static void main(String[] arguments) throws Exception {
        TorchState.loadLibraries();
        torch.manual_seed(1);
        int rank = Integer.parseInt(arguments[2]);
        int size = Integer.parseInt(arguments[3]);
        ProcessGroupGloo.Options gloo = ProcessGroupGloo.Options.create(new Milliseconds(60_000));
        gloo.devices().push_back(ProcessGroupGloo.createDeviceForHostname("127.0.0.1"));
        TorchGroup group = new TorchGroup(
                new ProcessGroupGloo(new FileStore(arguments[4], size), rank, size, gloo), rank, size);
        Module module = new Module();
        LinearImpl hidden = module.register_module("hidden", new LinearImpl(8, 64));
        LinearImpl output = module.register_module("output", new LinearImpl(64, 1));
        Adam optimizer = new Adam(module.parameters(), new AdamOptions(0.001));
        TorchState state = TorchState.of(module, optimizer);
        CheckpointOptions options = CheckpointOptions.defaults().withPolicy(new SavePolicy.EverySteps(200));
        RunLocation run = RunLocation.parse(arguments[0]);
        try (GroupCheckpoints checkpoints = GroupCheckpoints.open(run, options, group)) {
            long step = checkpoints.resume(state);
            System.out.println("begins at step " + step);
            float loss = 0;
            for (long steps = Long.parseLong(arguments[1]); step < steps; ) {
                try (PointerScope scope = new PointerScope()) {
                    Tensor batch = torch.randn(32, 8); // the same everywhere; each process takes its rows
                    Tensor x = batch.narrow(0, 32L * rank / size, 32L * (rank + 1) / size - 32L * rank / size);
                    Tensor error = torch.mse_loss(
                            output.forward(torch.relu(hidden.forward(x))), x.sum(1).sin().unsqueeze(1));
                    optimizer.zero_grad();
                    error.backward();
                    TensorVector parameters = module.parameters();
                    for (long i = 0; i < parameters.size(); i++) {
                        group.gloo().allreduce(new TensorVector(parameters.get(i).grad()))._wait();
                        parameters.get(i).grad().div_(new Scalar(size));
                    }
                    checkpoints.beforeUpdate();
                    optimizer.step();
                    loss = error.item_float();
                }
                checkpoints.afterStep(++step, state, false);
            }
            checkpoints.saveNow(step, state);
            System.out.printf("ends at step %d, loss %s%n", step, loss);
        }
        System.exit(0); // Gloo's threads
    }
}
