package dev.cairn.cluster.supervise;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A member that is a thread of this process. It has ended when its exit code is known.
public abstract class ThreadProcess extends SilentProcess {
    /// The exit code.
    public final CompletableFuture<Integer> ended = new CompletableFuture<>();

    @Override
    public long pid() {
        return ProcessHandle.current().pid();
    }

    @Override
    public ProcessHandle toHandle() {
        return ProcessHandle.current();
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return ended.thenApply(_ -> this);
    }

    @Override
    public int waitFor() {
        return ended.join();
    }

    @Override
    public boolean waitFor(long time, TimeUnit unit) {
        waitFor();
        return true;
    }

    @Override
    public int exitValue() {
        return ended.join();
    }
}
