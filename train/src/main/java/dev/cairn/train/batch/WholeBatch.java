package dev.cairn.train.batch;

import java.util.Optional;

/// The size of the batch of all workers together. The first start of a run decides it: if a later one has another
/// number
/// of workers, they share out the same batch.
///
/// @param known the size that an earlier start decided
/// @param isPerWorker whether the size that is asked for is that of each worker
public record WholeBatch(Optional<Long> known, boolean isPerWorker) {
    /// The attribute in which a run keeps it.
    public static final String ATTRIBUTE = "globalBatch";

    /// The size for this size that was asked for; a value that is too large or negative stays invalid.
    public int of(int batch, int workers) {
        long whole = known.orElse(isPerWorker ? (long) batch * workers : batch);
        return Math.clamp(whole, -1, Integer.MAX_VALUE);
    }

    /// What to tell if the batch of a worker is not what was asked for.
    ///
    /// @param batch the size that was asked for
    public Optional<String> warning(int whole, int batch, int workers) {
        if (!isPerWorker || whole == (long) batch * workers) {
            return Optional.empty();
        }
        return Optional.of("the batch of all workers together stays %d, as the run started: %d for each of %d workers%s"
                .formatted(whole, whole / workers, workers, whole % workers == 0 ? "" : ", or one more"));
    }
}
