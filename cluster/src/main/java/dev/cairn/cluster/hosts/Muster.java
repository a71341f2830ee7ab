package dev.cairn.cluster.hosts;

import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The hosts of a job in their order, and which of them are there. Before the first step all must come; later
/// each may be lost and come back. Only the supervisor's thread uses it.
public final class Muster {
    private final JobHosts job;
    private final List<Host> hosts;
    private final long startNanos;
    private boolean complete;

    /// @param workers the number of workers of the job
    /// @param spares the number of its spare processes
    public Muster(JobHosts job, int workers, int spares, long nanos) {
        this.job = job;
        this.hosts = IntStream.range(0, job.count())
                .mapToObj(index -> new Host(
                        index, job.share(workers, index), job.share(spares, index), job.before(workers, index)))
                .toList();
        this.startNanos = nanos;
        hosts.getFirst().isOwn();
        this.complete = !job.areSeveral();
    }

    /// The hosts that are there, once all of them were.
    public List<Host> present() {
        return complete ? hosts.stream().filter(Host::isThere).toList() : List.of();
    }

    /// Whether all of them were there.
    public boolean isComplete() {
        return complete;
    }

    /// The number of hosts that are there.
    public int there() {
        return (int) hosts.stream().filter(Host::isThere).count();
    }

    /// Lets a host in.
    ///
    /// @return empty if it is let in; otherwise the reason why not
    public Optional<String> join(Message.Enlist told, Connection connection, long nanos) {
        if (told.host() < 1 || told.host() >= job.count()) {
            return Optional.of(
                    "%s says that it is host %d, but the job has %d hosts, from 0; give each host its own number, and the same number of hosts"
                            .formatted(told.name(), told.host(), job.count()));
        }
        Host host = hosts.get(told.host());
        if (host.isThere()) {
            return Optional.of(
                    "%s says that it is host %d, but %s is already there; give each host its own number (RANK, or --task)"
                            .formatted(told.name(), told.host(), host.name()));
        }
        for (var asked : new TreeMap<>(job.asked()).entrySet()) {
            String theirs = told.asked().getOrDefault(asked.getKey(), "unknown");
            if (!theirs.equals(asked.getValue())) {
                return Optional.of(
                        "%s has %s %s, but the first host has %s; start the same command with the same version of Cairn on all hosts"
                                .formatted(told.name(), asked.getKey(), theirs, asked.getValue()));
            }
        }
        host.join(told.name(), connection, nanos);
        complete |= hosts.stream().allMatch(Host::isThere);
        return Optional.empty();
    }

    /// The host to which this agent belongs; empty if it belongs to none any more.
    public Optional<Host> of(int index, Connection connection) {
        return hosts.stream()
                .filter(host -> host.index() == index && host.agent() == connection)
                .findFirst();
    }

    /// The host of this number.
    public Host numbered(int index) {
        return hosts.get(index);
    }

    /// The hosts that give no sign of life.
    public List<Host> silent(Duration silence, long nanos) {
        return hosts.stream()
                .filter(host -> host.silentNanos(nanos) > silence.toNanos())
                .toList();
    }

    /// Gives all hosts new time: this process was stopped itself, and could hear nobody.
    public void heardAll(long nanos) {
        hosts.forEach(host -> host.heard(nanos));
    }

    /// Whether an agent is connected.
    public boolean hasAgents() {
        return hosts.stream().anyMatch(host -> host.agent() != null);
    }

    /// Sends something to all agents.
    public void tell(Message message) {
        hosts.forEach(host -> host.tell(message));
    }

    /// Why the job does not begin, if hosts have not come in time.
    public Optional<String> missing(long nanos) {
        if (complete || nanos - startNanos < job.patience().toNanos()) {
            return Optional.empty();
        }
        String names = hosts.stream()
                .filter(host -> !host.isThere())
                .map(host -> Integer.toString(host.index()))
                .collect(Collectors.joining(", "));
        return Optional.of(
                "host %s of %d (from 0) did not come to %s within %d s; start the same command there too, and check that it reaches this address"
                        .formatted(
                                names, job.count(), job.door(), job.patience().toSeconds()));
    }
}
