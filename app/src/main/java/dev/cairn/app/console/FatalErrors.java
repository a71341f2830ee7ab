package dev.cairn.app.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// Reports errors that no command could handle, such as running out of memory or open files: problem, cause and cure in
/// one line, and the stack trace with `--verbose`. Create it before anything goes wrong, because classes may fail to
/// load afterwards. It needs only classes of Java.
public final class FatalErrors implements Thread.UncaughtExceptionHandler {
    /// The system's message to a process that has too many files open.
    static final String OPEN_FILES = "Too many open files";

    static final String MORE_OPEN_FILES = "; raise the limit, for example with 'ulimit -n 4096', and start again";

    private static final int MOST_CAUSES = 20;

    private final PrintWriter err;
    private final boolean verbose;

    public FatalErrors(PrintWriter err, String... args) {
        this.err = err;
        this.verbose = List.of(args).contains("--verbose");
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        report(failure);
    }

    /// Prints the failure and returns the exit code.
    public int report(Throwable failure) {
        err.println("cairn: " + describe(failure));
        if (verbose) {
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitCode.FAILED;
    }

    private static String describe(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
            switch (cause) {
                case Error error -> {
                    return describe(error);
                }
                case ClassNotFoundException missing -> {
                    return missingPart(missing);
                }
                default -> cause = cause.getCause();
            }
        }
        try {
            return Failures.describe(failure);
        } catch (LinkageError e) {
            return missingPart(e);
        }
    }

    static String describe(Error error) {
        if (isSaid(error, OPEN_FILES)) {
            return "too many open files for this process" + MORE_OPEN_FILES;
        }
        return switch (error) {
            case OutOfMemoryError memory -> outOfMemory(message(memory));
            case StackOverflowError _ ->
                "stack overflow: something is nested too deeply; give Java a larger stack with CAIRN_JAVA_OPTS=-Xss16m";
            case LinkageError missing -> missingPart(missing);
            default ->
                "internal error: %s%s; '--verbose' shows where"
                        .formatted(error.getClass().getSimpleName(), detail(error));
        };
    }

    private static String missingPart(Throwable missing) {
        return "a part of Cairn cannot be loaded: %s%s; check its files, and that 'ulimit -n' is at least 256"
                .formatted(missing.getClass().getSimpleName(), detail(missing));
    }

    private static String outOfMemory(String message) {
        if (message.toLowerCase(Locale.ROOT).contains("thread")) {
            return "out of threads: %s; raise the limit with 'ulimit -u', or end other programs".formatted(message);
        }
        return message.contains("heap") || message.contains("GC overhead") || message.contains("array size")
                ? "out of memory: %s; give Java more, for example with CAIRN_JAVA_OPTS=-Xmx2g".formatted(message)
                : "out of memory: %s; end other programs, or use a machine with more memory".formatted(message);
    }

    private static boolean isSaid(Throwable error, String words) {
        Throwable cause = error;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
            if (message(cause).contains(words)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static String detail(Throwable error) {
        String message = message(error);
        return message.isEmpty() ? "" : ": " + message;
    }

    private static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? "" : message.lines().findFirst().orElse("");
    }
}
