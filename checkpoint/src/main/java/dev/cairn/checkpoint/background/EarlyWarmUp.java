package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.VectorWarmUp;

/// Warms up the loops of a run's codec during the first training steps, so that they are compiled when the first save
/// needs them. It uses one thread, which ends by itself after a second or two of work. The thread has normal
/// priority: if the training uses all cores, a background thread would not finish in time, and a save with cold code
/// costs the training more.
public final class EarlyWarmUp implements AutoCloseable {
    /// A smaller state is saved quickly even by code that is not compiled.
    private static final long WORTH_BYTES = 16 << 20;

    private final Codec codec;
    private boolean begun;

    public EarlyWarmUp(Codec codec) {
        this.codec = codec;
    }

    /// Announces that this state will be saved later.
    public void expect(TrainingState state) {
        if (begun) {
            return;
        }
        begun = true;
        long bytes = state.tensors().stream()
                .mapToLong(tensor -> tensor.spec().sizeBytes())
                .sum();
        if (bytes >= WORTH_BYTES) {
            VectorWarmUp.begin(EncodingLoops.of(codec));
        }
    }

    @Override
    public void close() {
        VectorWarmUp.stop();
    }
}
