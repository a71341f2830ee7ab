package dev.cairn.train.job;

import org.jspecify.annotations.Nullable;

/// Thrown if a job cannot be done as planned. The run has not been changed.
public final class JobRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    JobRefusedException(Refusal refusal) {
        this(refusal, null);
    }

    JobRefusedException(Refusal refusal, @Nullable Throwable cause) {
        super(refusal.problem(), cause);
        this.refusal = refusal;
    }

    /// Why the job was refused.
    public Refusal refusal() {
        return refusal;
    }
}
