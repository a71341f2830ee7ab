package dev.cairn.app.console;

import java.io.PrintWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// Shows the log to the user: Cairn's own warnings, one line each, without dates and class names, like all other lines
/// of the program. Messages of other libraries are for their developers and are not shown.
public final class LogLines extends Handler {
    private static final String OURS = "dev.cairn.";

    private final SimpleFormatter text = new SimpleFormatter();
    private final PrintWriter err;
    private final boolean interactive;

    private LogLines(PrintWriter err, boolean interactive) {
        this.err = err;
        this.interactive = interactive;
        setLevel(Level.WARNING);
    }

    /// From now on, writes everything that this process logs to `err`, and nowhere else.
    public static void show(PrintWriter err) {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(new LogLines(err, Boolean.getBoolean("cairn.terminal")));
    }

    @Override
    public void publish(LogRecord logged) {
        String logger = String.valueOf(logged.getLoggerName());
        if (!isLoggable(logged) || !logger.startsWith(OURS)) {
            return;
        }
        String message = text.formatMessage(logged).lines().findFirst().orElse("");
        Throwable cause = logged.getThrown();
        err.println((interactive ? "\r\033[K" : "") + "cairn: warning: " + message
                + (cause == null ? "" : ": " + Failures.describe(cause)));
    }

    @Override
    public void flush() {
        err.flush();
    }

    @Override
    public void close() {
        flush();
    }
}
