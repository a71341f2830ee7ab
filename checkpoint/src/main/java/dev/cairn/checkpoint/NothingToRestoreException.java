package dev.cairn.checkpoint;

import java.io.IOException;

/// A run has checkpoints, but none of them verifies. It must not silently start again from the beginning.
public final class NothingToRestoreException extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final Cure cure;
    private final int checkpoints;
    private final Exception first;

    /// What the user can do, in addition to putting back a copy of the files.
    public enum Cure {
        /// Start over, which keeps the damaged files.
        START_FRESH("put back a copy, or start over with Checkpoints.startFresh, which keeps the damaged files"),
        /// Choose another checkpoint of the other run to start from.
        OTHER_STEP("choose another step, or put back a copy");

        private final String text;

        Cure(String text) {
            this.text = text;
        }
    }

    /// Creates the exception for a run that has checkpoints, none of which can be restored.
    ///
    /// @param checkpoints the number of checkpoints that were tried
    /// @param first the reason why the first of them cannot be restored
    public NothingToRestoreException(int checkpoints, Exception first) {
        this(
                checkpoints == 1
                        ? "the run's only checkpoint does not verify: " + first.getMessage()
                        : "none of the run's %d checkpoints verifies; newest: %s"
                                .formatted(checkpoints, first.getMessage()),
                Cure.START_FRESH,
                checkpoints,
                first);
    }

    private NothingToRestoreException(String problem, Cure cure, int checkpoints, Exception first) {
        super(problem + "; " + cure.text, first);
        this.problem = problem;
        this.cure = cure;
        this.checkpoints = checkpoints;
        this.first = first;
    }

    /// Returns the same problem as one of another run, for which starting over does not help.
    NothingToRestoreException inFork(String run, Selector selector) {
        return new NothingToRestoreException(
                "cannot restore %s@%s: %s"
                        .formatted(
                                run,
                                selector.text(),
                                checkpoints == 1
                                        ? first.getMessage()
                                        : "none of %d checkpoints verifies; first: %s"
                                                .formatted(checkpoints, first.getMessage())),
                Cure.OTHER_STEP,
                checkpoints,
                first);
    }

    /// The message without its advice.
    public String problem() {
        return problem;
    }

    /// What the user can do.
    public Cure cure() {
        return cure;
    }

    /// The number of checkpoints that were tried.
    public int checkpoints() {
        return checkpoints;
    }
}
