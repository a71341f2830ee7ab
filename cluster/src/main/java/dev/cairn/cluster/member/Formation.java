package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Form;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GroupMaker;
import dev.cairn.engine.group.GroupMaker.Meeting;
import dev.cairn.engine.group.GroupMaker.Network;
import dev.cairn.engine.group.ProcessGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Forms groups on a thread of its own. A process that dies meanwhile would make the others wait until their time is
/// over: the supervisor knows it sooner, and the forming group is then abandoned, with its thread. Otherwise the thread
/// lives as long as the groups that it forms, as [GroupMaker#form] asks.
final class Formation implements AutoCloseable {
    /// How long to wait for the others to come. They were all there when the supervisor said so.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// How long an exchange may take: as long as another process may score or save meanwhile. Those that are gone or
    /// stopped are noticed by other means, and much sooner.
    private static final Duration SILENCE = Duration.ofMinutes(30);

    private final GroupMaker maker;
    private long abandoned;
    private @Nullable Forming now;
    private ExecutorService thread = newThread();

    private record Forming(long generation, CompletableFuture<ProcessGroup> group) {}

    Formation(GroupMaker maker) {
        this.maker = maker;
    }

    /// With processes of this host.
    ProcessGroup form(Form form, String address) {
        return form(form, address, null);
    }

    /// @param address the address of this process for the others
    /// @param network how a group of several hosts meets; null if it is on this host
    ProcessGroup form(Form form, String address, @Nullable Network network) {
        var meeting = new Meeting(Path.of(form.file()), form.rank(), form.size(), address, PATIENCE, SILENCE, network);
        var forming = new Forming(form.generation(), new CompletableFuture<>());
        synchronized (this) {
            if (abandoned >= form.generation()) {
                throw abandonedGroup();
            }
            now = forming;
        }
        thread.execute(() -> form(meeting, forming.group()));
        try {
            return forming.group().get();
        } catch (ExecutionException e) {
            thread.shutdown(); // it may still wait for the others
            thread = newThread();
            throw e.getCause() instanceof BrokenGroupException broken
                    ? broken
                    : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokenGroupException("interrupted", e);
        }
    }

    private void form(Meeting meeting, CompletableFuture<ProcessGroup> result) {
        try {
            ProcessGroup formed = maker.form(meeting);
            if (!result.complete(formed)) {
                formed.close();
            }
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /// Gives up the group of this generation, if it is still forming or will be.
    synchronized void abandon(Broken broken) {
        abandoned = Math.max(abandoned, broken.generation());
        if (now != null && now.generation() <= abandoned) {
            now.group().completeExceptionally(abandonedGroup());
        }
    }

    /// Throws if this group was given up when it had just formed.
    synchronized void requireWanted(Form form) {
        if (abandoned >= form.generation()) {
            throw abandonedGroup();
        }
    }

    private static ExecutorService newThread() {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("cairn-forming").daemon(true).factory());
    }

    @Override
    public void close() {
        thread.shutdown();
    }

    private static BrokenGroupException abandonedGroup() {
        return new BrokenGroupException("a process is gone while the group formed", new IllegalStateException());
    }
}
