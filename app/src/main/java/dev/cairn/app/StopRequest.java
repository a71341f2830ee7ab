package dev.cairn.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Turns SIGINT, SIGTERM and SIGHUP into a clean stop: the training sees the wish after its step, saves, and ends;
/// then the
/// process exits with the code that this gave. After a minute it exits regardless: the last commit is good in any case.
///
/// There is one for the process, because signals are. A command that does not [#listen] is ended by a signal at once.
final class StopRequest {
    private static final long PATIENCE_SECONDS = 60;
    private static final CountDownLatch FINISHED = new CountDownLatch(1);
    private static volatile boolean listening;
    private static volatile boolean wanted;
    private static volatile int exitCode = ExitCode.STOPPED;

    private StopRequest() {}

    /// Called once, first thing in the process.
    static void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(StopRequest::onShutdown, "cairn-stop"));
    }

    /// From now on a signal is a wish, and [#wanted] is asked for it often.
    static void listen() {
        listening = true;
    }

    static boolean wanted() {
        return wanted;
    }

    /// The command is over, everything it held is closed and everything it had to say is said.
    static void finished(int code) {
        exitCode = code;
        FINISHED.countDown();
    }

    private static void onShutdown() {
        wanted = true;
        if (!listening) {
            return;
        }
        try {
            if (!FINISHED.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("cairn: stopped without the last save: it took over a minute");
                Runtime.getRuntime().halt(ExitCode.FAILED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(exitCode);
    }
}
