package dev.cairn.store;

/// Another writer has the run, or took the number of the commit log that this one meant to take: this writer must
/// stop.
public final class CommitConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    private final String reason;

    private CommitConflictException(String reason, String advice) {
        super(reason + advice);
        this.reason = reason;
    }

    /// What happened, without what it means for a training that writes there.
    public String reason() {
        return reason;
    }

    /// The same, to be thrown once more: who catches both adds one to the other.
    public CommitConflictException again() {
        String message = String.valueOf(getMessage());
        var same = new CommitConflictException(reason, message.substring(reason.length()));
        same.initCause(this);
        return same;
    }

    /// Another writer has taken the number of this record.
    public static CommitConflictException number(String record) {
        return new CommitConflictException(
                "another writer committed " + record + " first",
                ": two processes train in one run; stop one of them, then start again");
    }

    /// The file of the lock is no longer the one that was locked.
    public static CommitConflictException lockGone(String file) {
        return new CommitConflictException(
                file + " was removed or replaced",
                ", so another process may write into the run; "
                        + "this one stops, its checkpoints are kept; start it again once no other has the run");
    }

    /// For a copy that belongs to another run.
    public static CommitConflictException ofAnotherRun() {
        return new CommitConflictException(
                "it has the checkpoints of another run",
                "; nothing there was changed; choose another place for the copy");
    }

    /// A record of the log says that another writer has the run now.
    public static CommitConflictException takenOver(String by) {
        return new CommitConflictException(
                "the run was taken over by " + by,
                ", because this process was cut off, or because the other was told to take it over; this one stops, its checkpoints are kept; "
                        + "start it again once the other has ended");
    }
}
