package dev.cairn.store;

/// Thrown if another live process holds the run.
public final class StoreLockedException extends StoreException {
    private static final long serialVersionUID = 1;

    /// Reports a run that another live process writes to.
    public StoreLockedException(String run, String holder) {
        this(run, holder, "wait for it to end, stop it, or choose another run");
    }

    /// Reports a run that another live process writes to, with this advice.
    public StoreLockedException(String run, String holder, String cure) {
        super("run is in use: " + run + " is held by " + holder + "; " + cure);
    }
}
