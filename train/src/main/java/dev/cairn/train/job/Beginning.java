package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.checkpoint.ForkPoint;
import dev.cairn.checkpoint.Matching;
import dev.cairn.checkpoint.Origin;
import dev.cairn.checkpoint.Selector;
import dev.cairn.store.location.RunLocation;
import dev.cairn.train.Trainer.Start;
import java.io.IOException;
import java.util.Optional;

/// Where a job starts to train.
public sealed interface Beginning {
    /// At the run's newest checkpoint, or at that of its copy if the run has none; otherwise at step 0.
    record Resume(Fit fit) implements Beginning {}

    /// At step 0, even if the run has checkpoints. The copy is not read.
    record Fresh() implements Beginning {}

    /// At a checkpoint of another run. If the run already is this fork, at its own newest checkpoint.
    ///
    /// @param source the other run
    /// @param opening opens the other run; used only if this run has no checkpoint
    record Fork(RunLocation source, Selector selector, Opening opening, Fit fit) implements Beginning {
        /// At the checkpoint of the other run.
        Start.Fork start() throws IOException {
            ForkPoint point = opening.open();
            return new Start.Fork(point, fit.of(Optional.of(point.record())));
        }

        /// Refuses a run that has checkpoints but is not this fork.
        ///
        /// @param newest the newest checkpoint of that run
        void checkOrigin(Refusal.Holder holder, Checkpoint newest) throws JobRefusedException {
            Optional<Origin> origin = newest.origin();
            boolean same = origin.isPresent()
                    && origin.get().run().equals(source.name())
                    && switch (selector) {
                        case Selector.AtStep(long step) -> origin.get().step() == step;
                        case Selector.Latest _, Selector.Best _, Selector.UpTo _ -> true;
                    };
            if (!same) {
                throw new JobRefusedException(new Refusal.NotThisFork(holder, origin));
            }
        }
    }

    /// Opens the run that is forked.
    interface Opening {
        ForkPoint open() throws IOException;
    }

    /// Says how much of the model must be in the checkpoint at which the training begins.
    interface Fit {
        /// For the checkpoint at which the training begins.
        ///
        /// @param checkpoint empty if the run has none yet
        Matching of(Optional<Checkpoint> checkpoint);
    }
}
