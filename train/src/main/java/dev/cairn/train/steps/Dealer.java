package dev.cairn.train.steps;

import dev.cairn.train.data.DataOrder.Cursor;
import java.util.Collection;
import java.util.List;

/// Gives out the batches of a training whose workers do not wait for each other. A batch whose worker died is given out
/// again.
public sealed interface Dealer permits GlobalDealer, ShardDealer {
    /// Goes on from a state.
    ///
    /// @param next the position of the training
    /// @param saved what [#open] has told for that state; nothing at the start
    void begin(Cursor next, List<Cursor> saved);

    /// The next batch of this worker.
    Cursor deal(int worker);

    /// The batch of this worker was learned.
    ///
    /// @return the position of the training
    Cursor learned(int worker, Cursor batch);

    /// The batch of this worker will not be learned by it.
    void lost(int worker, Cursor batch);

    /// What a training must know besides its position to go on.
    ///
    /// @param given the batches that workers have
    List<Cursor> open(Collection<Cursor> given);
}
