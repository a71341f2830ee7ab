package dev.cairn.app.console;

/// What the process's end tells a script; documented in `cairn --help`.
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int DAMAGED = 3;
    /// `EX_TEMPFAIL`: stopped on notice, the same command goes on.
    public static final int STOPPED = 75;

    private ExitCode() {}
}
