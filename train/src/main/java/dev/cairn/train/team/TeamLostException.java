package dev.cairn.train.team;

import java.io.IOException;

/// Thrown if a team will never be complete again, because the process that started it is gone.
public final class TeamLostException extends IOException {
    private static final long serialVersionUID = 1;

    public TeamLostException(String message) {
        super(message);
    }
}
