package dev.cairn.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Turns SIGINT and SIGTERM into a clean stop: the training sees the wish after its step, saves, and ends; then the
/// process exits with the code it chose. After a minute it exits regardless: the last commit is good in any case.
final class StopRequest implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "cairn-stop");
    private volatile boolean wanted;
    private volatile int exitCode = ExitCode.FAILED;

    private StopRequest() {}

    static StopRequest install() {
        var request = new StopRequest();
        Runtime.getRuntime().addShutdownHook(request.hook);
        return request;
    }

    boolean wanted() {
        return wanted;
    }

    /// Says which exit code the stop shall have, and returns it.
    int finished(int code) {
        exitCode = code;
        return code;
    }

    /// The work is over, and everything it held is closed.
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is running: it was woken above and ends the process.
        }
    }

    private void onShutdown() {
        wanted = true;
        try {
            if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("cairn: stopped without the last save: it took over a minute");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(exitCode);
    }
}
