package dev.cairn.cluster.member;

/// Ends the training of a process that followed, because it is to lead from now on.
public final class PromotedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean begun;

    PromotedException(boolean begun) {
        super("this process leads from now on");
        this.begun = begun;
    }

    /// Whether the run was already begun by this job.
    public boolean begun() {
        return begun;
    }
}
