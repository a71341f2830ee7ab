package dev.cairn.store;

/// Another writer took the number of the commit log that this one meant to take: this writer must stop.
public final class CommitConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    CommitConflictException(String record) {
        super("another writer committed " + record
                + " first: two processes train in one run; stop one of them, then start again");
    }
}
