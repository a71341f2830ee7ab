package dev.cairn.app.console;

/// The exit codes of the process, as documented in `cairn --help`.
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int DAMAGED = 3;
    /// `EX_TEMPFAIL`: stopped by a notice; the same command continues the run.
    public static final int STOPPED = 75;

    private ExitCode() {}
}
