package dev.cairn.store;

/// Thrown if another writer holds the run, or took the log number that this writer was about to take. This writer
/// must stop.
public final class CommitConflictException extends StoreException {
    private static final long serialVersionUID = 1;

    private final String who;
    private final String reason;
    private final String advice;

    private CommitConflictException(String who, String reason, String advice) {
        super(who + reason + advice);
        this.who = who;
        this.reason = reason;
        this.advice = advice;
    }

    private CommitConflictException(String reason, String advice) {
        this("", reason, advice);
    }

    /// What happened, without the advice for a training that writes to the run: `taken over by process 3`.
    public String reason() {
        return reason;
    }

    /// Returns an equal exception that can be thrown again. A caller that catches both can add one to the other as
    /// suppressed.
    public CommitConflictException again() {
        var same = new CommitConflictException(who, reason, advice);
        same.initCause(this);
        return same;
    }

    /// Another writer took the number of this record.
    public static CommitConflictException number(String record) {
        return new CommitConflictException(
                "another writer committed " + record + " first",
                ": two processes write to the same run; stop one of them, then start again");
    }

    /// The lock file is no longer the file that was locked.
    public static CommitConflictException lockGone(String file) {
        return new CommitConflictException(
                file + " was removed or replaced",
                ", so another process may write to the run; "
                        + "this process stops and its checkpoints are kept; start it again when no other process uses the run");
    }

    /// The copy belongs to another run.
    public static CommitConflictException ofAnotherRun() {
        return new CommitConflictException(
                "it has the checkpoints of another run",
                "; nothing there was changed; choose another place for the copy");
    }

    /// A record in the log says that another writer holds the run now.
    public static CommitConflictException takenOver(String by) {
        return new CommitConflictException(
                "the run was ",
                "taken over by " + by,
                ", because this process was cut off, or because the other was told to take it over; this one stops, its checkpoints are kept; "
                        + "start it again once the other has ended");
    }
}
