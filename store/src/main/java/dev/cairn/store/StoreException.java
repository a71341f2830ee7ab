package dev.cairn.store;

import java.io.IOException;

/// Thrown if a store refuses an operation: damage, a newer format, a lost race. The message is one line with problem,
/// cause and cure.
public sealed class StoreException extends IOException
        permits DamagedException,
                NewerFormatException,
                CommitConflictException,
                StoreLockedException,
                StoreFullException {
    private static final long serialVersionUID = 1;

    StoreException(String message) {
        super(message);
    }
}
