package dev.cairn.store;

/// Another live process holds the run.
public final class StoreLockedException extends StoreException {
    private static final long serialVersionUID = 1;

    StoreLockedException(String run, String holder) {
        super("run is in use: " + run + " is held by " + holder
                + "; wait for it to end, stop it, or choose another run");
    }
}
