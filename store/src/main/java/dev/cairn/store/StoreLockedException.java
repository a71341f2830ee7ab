package dev.cairn.store;

/// Another live process holds the run.
public final class StoreLockedException extends StoreException {
    private static final long serialVersionUID = 1;

    /// A run that another live process writes to.
    public StoreLockedException(String run, String holder) {
        this(run, holder, "wait for it to end, stop it, or choose another run");
    }

    /// The same, with what to do about it.
    public StoreLockedException(String run, String holder, String cure) {
        super("run is in use: " + run + " is held by " + holder + "; " + cure);
    }
}
