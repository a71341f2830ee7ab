package dev.cairn.store;

/// Another live process holds the run.
public final class StoreLockedException extends StoreException {
    private static final long serialVersionUID = 1;

    private final String problem;
    private final Cure cure;

    /// What helps, in addition to waiting until the holder ends.
    public enum Cure {
        /// Another run: the holder keeps this one as long as it lives.
        WAIT("wait for it to end, stop it, or choose another run"),
        /// The holder has a lease, which may be taken from it.
        TAKE_OVER("wait for it to end, stop it, or claim the run with WriterClaim.Urgency.AT_ONCE"),
        /// The holder has a lock, which nobody takes from a live process, however urgent the claim is.
        STOP_HOLDER("a lock is not taken from a live process: stop that process first");

        private final String text;

        Cure(String text) {
            this.text = text;
        }
    }

    /// A run that another live process writes to.
    public StoreLockedException(String run, String holder) {
        this(run, holder, Cure.WAIT);
    }

    /// The same, with what to do about it.
    public StoreLockedException(String run, String holder, Cure cure) {
        this("run is in use: " + run + " is held by " + holder, cure);
    }

    private StoreLockedException(String problem, Cure cure) {
        super(problem + "; " + cure.text);
        this.problem = problem;
        this.cure = cure;
    }

    /// What is wrong: the message without its cure.
    public String problem() {
        return problem;
    }

    /// What helps.
    public Cure cure() {
        return cure;
    }
}
