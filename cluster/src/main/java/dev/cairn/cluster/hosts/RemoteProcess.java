package dev.cairn.cluster.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A process on another host, as its agent tells of it. It counts as killed when its host is lost.
public final class RemoteProcess extends Process {
    /// The exit code of a process that was killed.
    static final int KILLED = 128 + 9;

    private static final int BUFFER = 1 << 16;

    private final int number;
    private final String host;
    private final Connection agent;
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final PipedOutputStream written = new PipedOutputStream();
    private final InputStream lines;
    private volatile long pid;
    private volatile long startMillis;
    private volatile double processorSeconds;

    RemoteProcess(int number, String host, Connection agent) throws IOException {
        this.number = number;
        this.host = host;
        this.agent = agent;
        this.lines = new PipedInputStream(written, BUFFER);
    }

    /// The name of its host.
    public String host() {
        return host;
    }

    /// When it started, in milliseconds since 1970.
    public long startMillis() {
        return startMillis;
    }

    /// The processor time that it has used.
    public double processorSeconds() {
        return processorSeconds;
    }

    void started(Message.Started started) {
        pid = started.pid();
        startMillis = started.startMillis();
    }

    void used(double seconds) {
        processorSeconds = seconds;
    }

    void said(String line) {
        try {
            written.write((line + "\n").getBytes(UTF_8));
            written.flush();
        } catch (IOException unread) {
            // Nobody listens any more.
        }
    }

    void exited(int code) {
        try {
            written.close();
        } catch (IOException unread) {
            // Nobody listens any more.
        }
        ended.complete(code);
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return ended.thenApply(_ -> this);
    }

    @Override
    public int waitFor() throws InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public boolean waitFor(long time, TimeUnit unit) throws InterruptedException {
        try {
            ended.get(time, unit);
            return true;
        } catch (TimeoutException alive) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public int exitValue() {
        if (!ended.isDone()) {
            throw new IllegalThreadStateException("the process has not ended");
        }
        return ended.join();
    }

    @Override
    public boolean isAlive() {
        return !ended.isDone();
    }

    @Override
    public void destroy() {
        if (isAlive()) {
            agent.send(new Message.Kill(number));
        }
    }

    @Override
    public Process destroyForcibly() {
        destroy();
        return this;
    }

    @Override
    public InputStream getInputStream() {
        return lines;
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }
}
