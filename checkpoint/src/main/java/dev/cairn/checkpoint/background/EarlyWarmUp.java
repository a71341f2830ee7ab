package dev.cairn.checkpoint.background;

import dev.cairn.checkpoint.Codec;
import dev.cairn.checkpoint.TrainingState;
import dev.cairn.codec.VectorWarmUp;

/// Has the loops of a run's codec warmed up beside the first steps, so that they are compiled when the
/// first save needs them: on one thread, which ends by itself after a second or two of work. It does not
/// give way to the training: beside one that takes all cores it would not be done in time, and a save by
/// cold code costs the training more.
public final class EarlyWarmUp implements AutoCloseable {
    /// A smaller state is saved in a moment, whatever code does it.
    private static final long WORTH_BYTES = 16 << 20;

    private final Codec codec;
    private boolean begun;

    public EarlyWarmUp(Codec codec) {
        this.codec = codec;
    }

    /// This state will be saved one day.
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
