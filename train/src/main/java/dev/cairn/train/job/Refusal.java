package dev.cairn.train.job;

import dev.cairn.checkpoint.Origin;
import java.util.Optional;

/// The reason why a job was refused.
public sealed interface Refusal {
    /// The problem, in one line.
    String problem();

    /// The copy and the run would share a folder.
    record CopyOverlaps(Overlap overlap) implements Refusal {
        @Override
        public String problem() {
            return switch (overlap) {
                case SAME_PLACE -> "the run and its copy are in the same place";
                case COPY_INSIDE_RUN -> "the copy is inside the folder of its run";
                case RUN_INSIDE_COPY -> "the run is inside the folder of its copy";
            };
        }
    }

    /// How the places of a run and of its copy overlap.
    enum Overlap {
        SAME_PLACE,
        COPY_INSIDE_RUN,
        RUN_INSIDE_COPY
    }

    /// The run would be forked from itself.
    record ForkOfItself() implements Refusal {
        @Override
        public String problem() {
            return "a run cannot be forked into itself";
        }
    }

    /// The checkpoint to fork belongs to another workload.
    record OtherWorkload(String trained, String wanted) implements Refusal {
        @Override
        public String problem() {
            return "the checkpoint to fork is of %s, not of %s".formatted(trained, wanted);
        }
    }

    /// The run or the copy already has checkpoints that are not of the requested fork.
    ///
    /// @param origin the checkpoint from which they were forked; empty if they are not of a fork
    record NotThisFork(Holder holder, Optional<Origin> origin) implements Refusal {
        @Override
        public String problem() {
            return "the %s has checkpoints that are not of this fork".formatted(holder == Holder.RUN ? "run" : "copy");
        }
    }

    /// Where the checkpoints are.
    enum Holder {
        RUN,
        COPY
    }

    /// The copy belongs to another run.
    ///
    /// @param difference how its settings differ from those of this run
    record CopyOfAnotherRun(String difference) implements Refusal {
        @Override
        public String problem() {
            return "the copy is of another run: " + difference;
        }
    }

    /// A setting of the storage, the engine or the data cannot be used.
    ///
    /// @param reason says which one and why
    record Invalid(IllegalArgumentException reason) implements Refusal {
        @Override
        public String problem() {
            return String.valueOf(reason.getMessage());
        }
    }
}
