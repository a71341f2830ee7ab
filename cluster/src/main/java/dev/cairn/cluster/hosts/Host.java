package dev.cairn.cluster.hosts;

import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A host of a job: a number of processes have their place there. They start when the host has joined. If it is
/// lost, they are gone until it joins again. Only the supervisor's thread uses it.
public final class Host {
    private final int index;
    private final int workers;
    private final int spares;
    private final int firstRank;
    private final Map<Integer, RemoteProcess> processes = new HashMap<>();
    private String name;
    private int startedWorkers;
    private boolean joined;
    private @Nullable Connection agent;
    private long heardNanos;

    /// @param index its place among the hosts of the job
    /// @param workers how many workers start there, from this rank on
    public Host(int index, int workers, int spares, int firstRank) {
        this.index = index;
        this.workers = workers;
        this.spares = spares;
        this.firstRank = firstRank;
        this.name = "host " + index;
    }

    /// Its place among the hosts of the job.
    public int index() {
        return index;
    }

    /// Its name, for people.
    public String name() {
        return name;
    }

    /// The number of processes that have their place here.
    public int places() {
        return workers + spares;
    }

    /// The rank with which the next process starts; −1 if it starts as a spare.
    public int nextRank() {
        return startedWorkers < workers ? firstRank + startedWorkers++ : -1;
    }

    /// Whether processes can start here.
    public boolean isThere() {
        return joined;
    }

    /// The connection to its agent; null if this is the host of the supervisor, or is not there.
    public @Nullable Connection agent() {
        return agent;
    }

    /// Notes that this is the host of the supervisor.
    public void isOwn() {
        joined = true;
    }

    /// Notes that its agent has connected.
    public void join(String itsName, Connection connection, long nanos) {
        name = "%s (host %d)".formatted(itsName, index);
        agent = connection;
        heardNanos = nanos;
        joined = true;
    }

    /// Notes a sign of life.
    public void heard(long nanos) {
        heardNanos = nanos;
    }

    /// Nanoseconds since its last sign of life; 0 if it is the host of the supervisor.
    public long silentNanos(long nanos) {
        return agent == null ? 0 : nanos - heardNanos;
    }

    /// Starts a member through the agent.
    public Process start(Message.Start order) throws IOException {
        Connection connection = agent;
        if (connection == null) {
            throw new IllegalStateException("nobody is there: " + name);
        }
        var process = new RemoteProcess(order.member(), name, connection);
        processes.put(order.member(), process);
        connection.send(order);
        return process;
    }

    /// Takes note of what the agent tells of its members.
    public void told(Message message) {
        switch (message) {
            case Message.Started started -> with(started.member(), process -> process.started(started));
            case Message.Line(int member, String text) -> with(member, process -> process.said(text));
            case Message.Exited(int member, int code) -> {
                with(member, process -> process.exited(code));
                processes.remove(member);
            }
            case Message.Works(Map<Integer, Double> seconds) ->
                seconds.forEach((member, used) -> with(member, process -> process.used(used)));
            case Message _ -> {}
        }
    }

    private void with(int member, Consumer<RemoteProcess> act) {
        RemoteProcess process = processes.get(member);
        if (process != null) {
            act.accept(process);
        }
    }

    /// Sends something to the agent, if there is one.
    public void tell(Message message) {
        if (agent != null) {
            agent.send(message);
        }
    }

    /// Notes that the host is lost. Its processes count as killed.
    public void lose() {
        joined = false;
        if (agent != null) {
            agent.close();
            agent = null;
        }
        var lost = List.copyOf(processes.values());
        processes.clear();
        lost.forEach(process -> process.exited(RemoteProcess.KILLED));
    }
}
