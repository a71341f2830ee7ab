package dev.cairn.checkpoint;

import java.io.IOException;

/// Checkpoints exist and none of them verifies: the run must not silently begin again.
public final class NothingToRestoreException extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final Cure cure;
    private final int checkpoints;
    private final Exception first;

    /// What helps, in addition to putting back a copy of the files.
    public enum Cure {
        /// Starting over, which keeps the damaged files.
        START_FRESH("put back a copy, or start over with Checkpoints.startFresh, which keeps the damaged files"),
        /// Another checkpoint of the other run, from which this one was to begin.
        OTHER_STEP("choose another step, or put back a copy");

        private final String text;

        Cure(String text) {
            this.text = text;
        }
    }

    /// A run that has checkpoints, none of which can be restored.
    ///
    /// @param checkpoints how many were tried
    /// @param first why the first of them cannot be restored
    public NothingToRestoreException(int checkpoints, Exception first) {
        this(
                "none of the run's %d checkpoints verifies; newest: %s".formatted(checkpoints, first.getMessage()),
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

    /// The same of another run, where starting over is no cure.
    NothingToRestoreException inFork(String run, Selector selector) {
        return new NothingToRestoreException(
                "cannot begin from %s@%s: none of %d checkpoints verifies; first: %s"
                        .formatted(run, selector.text(), checkpoints, first.getMessage()),
                Cure.OTHER_STEP,
                checkpoints,
                first);
    }

    /// What is wrong: the message without its cure.
    public String problem() {
        return problem;
    }

    /// What helps.
    public Cure cure() {
        return cure;
    }

    /// How many checkpoints were tried.
    public int checkpoints() {
        return checkpoints;
    }
}
