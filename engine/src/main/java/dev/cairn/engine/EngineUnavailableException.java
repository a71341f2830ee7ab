package dev.cairn.engine;

/// Thrown if a framework cannot be loaded on this machine. The message says why, and what the framework needs.
public final class EngineUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param engine the name of the engine
    /// @param needs the requirements of the engine, as text for the user
    public EngineUnavailableException(String engine, String needs, Throwable cause) {
        super(
                "engine %s cannot be loaded on %s %s: %s; it needs %s"
                        .formatted(
                                engine,
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                reasons(cause),
                                needs),
                cause);
    }

    /// The error and its root cause.
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
