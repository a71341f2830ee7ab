package dev.cairn.app;

/// What the process's end tells a script; documented in `cairn --help`.
final class ExitCode {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int DAMAGED = 3;
    /// `EX_TEMPFAIL`: stopped on notice, the same command goes on.
    static final int STOPPED = 75;

    private ExitCode() {}
}
