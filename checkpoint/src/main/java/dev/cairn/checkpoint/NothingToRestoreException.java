package dev.cairn.checkpoint;

import java.io.IOException;

/// Checkpoints exist and none of them verifies: the run must not silently begin again.
public final class NothingToRestoreException extends IOException {
    private static final long serialVersionUID = 1;

    private final int checkpoints;
    private final Exception first;

    /// A run that has checkpoints, none of which can be restored.
    ///
    /// @param checkpoints how many were tried
    /// @param first why the first of them cannot be restored
    public NothingToRestoreException(int checkpoints, Exception first) {
        this(
                ("none of the run's %d checkpoints verifies; newest: %s; put back a copy, or start over with --fresh "
                                + "(which keeps the damaged files)")
                        .formatted(checkpoints, first.getMessage()),
                checkpoints,
                first);
    }

    private NothingToRestoreException(String message, int checkpoints, Exception first) {
        super(message, first);
        this.checkpoints = checkpoints;
        this.first = first;
    }

    /// The same of another run, where starting over is no cure.
    NothingToRestoreException inFork(String run, Selector selector) {
        return new NothingToRestoreException(
                "cannot begin from %s@%s: none of %d checkpoints verifies; first: %s; choose another step, or put back a copy"
                        .formatted(run, selector.text(), checkpoints, first.getMessage()),
                checkpoints,
                first);
    }
}
