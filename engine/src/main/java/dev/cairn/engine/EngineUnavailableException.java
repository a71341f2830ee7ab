package dev.cairn.engine;

/// A framework is not to be had on this machine; the message says why and what to do.
public final class EngineUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param engine its name
    /// @param needs what it takes, for people
    public EngineUnavailableException(String engine, String needs, Throwable cause) {
        super(
                "engine %s does not load on %s %s: %s; it needs %s"
                        .formatted(
                                engine,
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                reasons(cause),
                                needs),
                cause);
    }

    /// What failed, and why in the end.
    private static String reasons(Throwable cause) {
        if (cause.getCause() == null) {
            return String.valueOf(cause.getMessage());
        }
        Throwable root = cause.getCause();
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return cause.getMessage() + " (" + root.getMessage() + ")";
    }
}
