package dev.cairn.checkpoint;

import java.io.IOException;

/// Checkpoints exist and none of them verifies: the run must not silently begin again.
public final class NothingToRestoreException extends IOException {
    private static final long serialVersionUID = 1;

    NothingToRestoreException(int checkpoints, Exception newest) {
        super(
                ("none of the run's %d checkpoints verifies; newest: %s; put back a copy, or start over with --fresh "
                                + "(which keeps the damaged files)")
                        .formatted(checkpoints, newest.getMessage()),
                newest);
    }
}
