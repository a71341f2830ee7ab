package dev.cairn.cluster.member;

import java.util.Optional;

/// Ends the training of a process that followed, because it is to lead from now on.
public final class PromotedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean begun;
    private final transient Optional<KeptState> kept;

    PromotedException(boolean begun, Optional<KeptState> kept) {
        super("this process leads from now on");
        this.begun = begun;
        this.kept = kept;
    }

    /// The state of this process, which may be the only one that is left.
    public Optional<KeptState> kept() {
        return kept;
    }

    /// Whether the run was already begun by this job.
    public boolean begun() {
        return begun;
    }
}
