package dev.cairn.torch;

import dev.cairn.engine.Engine;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.engine.group.GroupMaker;
import java.util.Optional;
import org.bytedeco.pytorch.global.torch;

/// Creates learners that run on libtorch.
public final class TorchEngine implements Engine {
    /// The name of the engine for users.
    public static final String NAME = "torch";

    /// Called by [java.util.ServiceLoader].
    public TorchEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LocalLearner learner(Model model, OptimizerSpec optimizer, long seed, int threads) {
        NativeLibraries.load();
        torch.set_num_threads(threads);
        torch.manual_seed(seed);
        return switch (model) {
            case Model.Network network -> new NetworkLearner(network, optimizer, seed);
            case Model.Factorization factorization -> new FactorizationLearner(factorization, optimizer, seed);
        };
    }

    @Override
    public Optional<GroupMaker> groups() {
        return Optional.of(meeting -> {
            NativeLibraries.load();
            return GlooGroup.form(meeting);
        });
    }

    @Override
    public String describe() {
        NativeLibraries.load();
        return "libtorch " + NativeLibraries.version().replaceFirst("-.*", "");
    }
}
