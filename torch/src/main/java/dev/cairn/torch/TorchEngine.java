package dev.cairn.torch;

import dev.cairn.engine.Learner;
import dev.cairn.engine.OptimizerSpec;
import org.bytedeco.pytorch.global.torch;

/// Makes learners that run on libtorch.
public final class TorchEngine {
    private TorchEngine() {}

    /// LeNet-5 with its first weights for this seed.
    ///
    /// @throws EngineUnavailableException where libtorch cannot be loaded here
    public static Learner lenet5(OptimizerSpec optimizer, long seed, int threads) {
        load();
        torch.set_num_threads(threads);
        torch.manual_seed(seed);
        return new TorchLenet5(optimizer, seed);
    }

    private static void load() {
        try {
            torch.get_num_threads();
        } catch (LinkageError e) {
            throw new EngineUnavailableException(e);
        }
    }

    /// libtorch is not to be had on this machine; the message says why and what to do.
    public static final class EngineUnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        EngineUnavailableException(LinkageError cause) {
            super(
                    "engine torch does not load on %s %s: %s; Cairn ships libtorch for Linux on x86-64 with glibc 2.28 or newer"
                            .formatted(
                                    System.getProperty("os.name"), System.getProperty("os.arch"), cause.getMessage()),
                    cause);
        }
    }
}
