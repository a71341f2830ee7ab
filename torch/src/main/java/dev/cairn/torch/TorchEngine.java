package dev.cairn.torch;

import dev.cairn.engine.Learner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import org.bytedeco.pytorch.global.torch;

/// Makes learners that run on libtorch.
public final class TorchEngine {
    private TorchEngine() {}

    /// The model with its first weights for this seed.
    ///
    /// @throws EngineUnavailableException where libtorch cannot be loaded here
    public static Learner learner(Model model, OptimizerSpec optimizer, long seed, int threads) {
        NativeLibraries.load();
        torch.set_num_threads(threads);
        torch.manual_seed(seed);
        return new TorchLearner(model, optimizer, seed);
    }

    /// libtorch is not to be had on this machine; the message says why and what to do.
    public static final class EngineUnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        EngineUnavailableException(Throwable cause) {
            super(
                    "engine torch does not load on %s %s: %s; it needs Linux on x86-64 with glibc 2.28 or newer, and 500 MB in the cache folder (XDG_CACHE_HOME)"
                            .formatted(System.getProperty("os.name"), System.getProperty("os.arch"), reasons(cause)),
                    cause);
        }

        /// What failed, and why in the end.
        private static String reasons(Throwable cause) {
            if (cause.getCause() == null) {
                return String.valueOf(cause.getMessage());
            }
            Throwable root = cause.getCause();
            while (root.getCause() != null) {
                root = root.getCause();
            }
            return cause.getMessage() + " (" + root.getMessage() + ")";
        }
    }
}
