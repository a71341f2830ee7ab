package dev.cairn.train.steps;

import dev.cairn.engine.Score;
import dev.cairn.engine.Update;
import dev.cairn.train.data.DataOrder.Cursor;
import dev.cairn.train.team.TeamLostException;
import java.util.List;
import java.util.Optional;

/// Makes the steps of a training.
public interface Steps {
    /// Makes the step with the batch at this position.
    ///
    /// @param beforeUpdate called before the state changes
    /// @throws TeamLostException if other processes were needed and will never come; nothing of the state has
    /// changed
    Made make(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException;

    /// As [#make]. Empty if the training has gone back instead, to another state.
    default Optional<Made> tryMake(Cursor cursor, Update update, Runnable beforeUpdate) throws TeamLostException {
        return Optional.of(make(cursor, update, beforeUpdate));
    }

    /// A step that was made.
    ///
    /// @param loss the mean loss of the batch before the step
    /// @param next the position of the next batch
    /// @param staleness the age of the gradients
    /// @param score the score of the test split, if it was scored with this step; [Score#NONE] otherwise
    /// @param handedOut the positions before `next` that are still to be learned
    record Made(float loss, int examples, Cursor next, Staleness staleness, Score score, List<Cursor> handedOut) {
        public Made {
            handedOut = List.copyOf(handedOut);
        }

        /// A step with which nothing was scored, and that leaves nothing behind.
        public Made(float loss, int examples, Cursor next, Staleness staleness) {
            this(loss, examples, next, staleness, Score.NONE, List.of());
        }
    }
}
