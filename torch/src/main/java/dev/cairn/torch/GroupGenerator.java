package dev.cairn.torch;

import dev.cairn.engine.CounterRandom;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/// The random numbers of a step that several processes make together. Each process draws its own, which depend only on
/// the seed, the step and its rank. So a process that replaces another one draws what that one would have drawn. After
/// the step the generators of all processes are in the same state again.
///
/// @param isUsed whether the model draws any; otherwise the generator is left alone, which is faster
record GroupGenerator(long seed, boolean isUsed) {
    /// Separates these random numbers from those of weights and data.
    private static final long STREAM = 0x6772L << 48;

    /// Begins the share of this rank.
    ///
    /// @return puts the generator back as it was, for a step that was not made
    Runnable beginShare(long step, int rank) {
        if (!isUsed) {
            return () -> {};
        }
        Tensor before = torch.getDefaultCPUGenerator().get_state();
        seed(step, rank + 1);
        return () -> torch.getDefaultCPUGenerator().set_state(before);
    }

    void endStep(long step) {
        if (isUsed) {
            seed(step, 0);
        }
    }

    private void seed(long step, int part) {
        torch.manual_seed(new CounterRandom(seed, STREAM + (step << 16) + part).nextLong());
    }
}
