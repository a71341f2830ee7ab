package dev.cairn.cluster.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A process that an agent has started. What it writes goes to the supervisor line by line, and at last how it
/// ended.
final class LocalMember {
    /// A process that has ended may have left others that still have its output open.
    private static final Duration OUTPUT = Duration.ofSeconds(1);

    private final int number;
    private final Process process;
    private final Connection supervisor;

    private LocalMember(int number, Process process, Connection supervisor) {
        this.number = number;
        this.process = process;
        this.supervisor = supervisor;
    }

    static LocalMember start(int number, Process process, Connection supervisor) {
        var member = new LocalMember(number, process, supervisor);
        long started = process.toHandle()
                .info()
                .startInstant()
                .map(instant -> instant.toEpochMilli())
                .orElse(0L);
        supervisor.send(new Message.Started(number, process.pid(), started));
        List<Thread> outputs =
                List.of(member.follow(process.getInputStream()), member.follow(process.getErrorStream()));
        CompletableFuture<Void> _ = process.onExit().thenAcceptAsync(ended -> member.ended(ended, outputs));
        return member;
    }

    private Thread follow(InputStream stream) {
        return Thread.ofPlatform().name("cairn-output-" + number).daemon(true).start(() -> passOn(stream));
    }

    private void passOn(InputStream stream) {
        try (var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                supervisor.send(new Message.Line(number, line));
            }
        } catch (IOException ended) {
            // There is nothing more to read.
        }
    }

    private void ended(Process ended, List<Thread> outputs) {
        try {
            for (Thread output : outputs) {
                output.join(OUTPUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        supervisor.send(new Message.Exited(number, ended.exitValue()));
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    double processorSeconds() {
        return process.info()
                .totalCpuDuration()
                .map(used -> used.toNanos() / 1e9)
                .orElse(0.0);
    }

    /// Waits for its end, and then ends it.
    void await(long nanos) throws InterruptedException {
        if (!process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
            kill();
            process.waitFor();
        }
    }

    void kill() {
        process.destroyForcibly();
    }
}
