package dev.cairn.cluster.agent;

import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.NotLetInException;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.supervise.Launcher;
import dev.cairn.store.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Starts and ends processes on this host as the supervisor of the job says, and tells it what they write and
/// how they end. If the supervisor is gone, the processes notice that themselves: they save and end, and then
/// so does this one.
///
/// Everything happens on the thread that calls [#run], because the system ties a child to the thread that
/// started it.
public final class Agent {
    /// The exit code of a process that a notice stopped, or that lost the others: the same command goes on.
    private static final int STOPPED = 75;

    private static final Duration TICK = Duration.ofMillis(200);
    private static final Duration LATE = TICK.multipliedBy(5);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(15);

    private final Plan plan;
    private final Launcher launcher;
    private final Consumer<String> notes;
    private final Clock clock;
    private final BlockingQueue<Optional<Message>> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    private final Map<Integer, LocalMember> members = new HashMap<>();
    private long silenceNanos = Long.MAX_VALUE;

    /// What an agent is told.
    ///
    /// @param host the place of this host among those of the job, from 1
    /// @param name the name of this host, for people
    /// @param supervisor where the supervisor listens
    /// @param asked what was asked for here
    /// @param patience how long to look for the supervisor
    /// @param lastSave how long the processes may take to save if the supervisor is gone
    public record Plan(
            int host,
            String name,
            Address supervisor,
            Secret secret,
            Map<String, String> asked,
            Duration patience,
            Duration lastSave) {
        public Plan {
            asked = Map.copyOf(asked);
        }
    }

    /// How the job ended, as far as this host knows.
    ///
    /// @param problem what to tell people; empty if there is nothing
    public record Ending(int code, String problem) {}

    /// @param notes is told what happens, each in one line
    public Agent(Plan plan, Launcher launcher, Consumer<String> notes, Clock clock) {
        this.plan = plan;
        this.launcher = launcher;
        this.notes = notes;
        this.clock = clock;
    }

    /// Passes a notice on to the whole job, from any thread.
    public void stop(String reason) {
        notices.add(reason);
    }

    /// Works until the job has ended.
    ///
    /// @throws NotLetInException if the job does not want this host
    /// @throws IOException if there is no supervisor
    public Ending run() throws IOException, InterruptedException {
        try (Connection connection = connected()) {
            connection.send(new Message.Enlist(
                    plan.host(), plan.name(), plan.asked(), clock.now().toEpochMilli()));
            Thread.ofPlatform().name("cairn-agent").daemon(true).start(() -> listen(connection));
            notes.accept("joined the training that %s leads".formatted(plan.supervisor()));
            return work(connection);
        } finally {
            members.values().forEach(LocalMember::kill);
        }
    }

    private Connection connected() throws IOException, InterruptedException {
        long began = clock.nanos();
        while (true) {
            try {
                return Connection.to(plan.supervisor(), plan.secret());
            } catch (NotLetInException refused) {
                throw refused;
            } catch (IOException notYet) {
                String stopped = notices.poll();
                if (stopped != null) {
                    throw new IOException("stopped on %s before the first host was found; start the same command again"
                            .formatted(stopped));
                }
                if (clock.nanos() - began > plan.patience().toNanos()) {
                    throw new IOException(
                            "nobody listens at %s (%s): the first host of the job has not started, or its address or port is another one; start the same command there too"
                                    .formatted(plan.supervisor(), notYet.getMessage()));
                }
                clock.pause(RETRY);
            }
        }
    }

    private void listen(Connection connection) {
        for (Optional<Message> read = connection.read(); read.isPresent(); read = connection.read()) {
            told.add(read);
        }
        told.add(Optional.empty());
    }

    private Ending work(Connection connection) throws IOException, InterruptedException {
        long heard = clock.nanos();
        long ticked = heard;
        while (true) {
            Optional<Message> next = told.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
            long now = clock.nanos();
            if (now - ticked > LATE.toNanos()) {
                heard = now; // this process was stopped itself
            }
            if (next != null && next.isPresent()) {
                heard = now;
                switch (next.get()) {
                    case Message.Start order -> start(order, connection);
                    case Message.Kill(int member) -> kill(member);
                    case Message.Over(int code, String problem) -> {
                        awaitEnd(LAST_PATIENCE);
                        return new Ending(code, problem);
                    }
                    case Message.Refused(String reason) -> throw new NotLetInException(reason);
                    case Message _ -> {}
                }
            }
            if ((next != null && next.isEmpty()) || now - heard > silenceNanos) {
                return alone(next == null);
            }
            if (now - ticked >= TICK.toNanos()) {
                ticked = now;
                tell(connection);
            }
        }
    }

    private void tell(Connection connection) {
        for (String reason = notices.poll(); reason != null; reason = notices.poll()) {
            connection.send(new Message.Heard(reason));
        }
        members.values().removeIf(LocalMember::hasEnded);
        var used = new HashMap<Integer, Double>();
        members.forEach((number, member) -> used.put(number, member.processorSeconds()));
        connection.send(new Message.Works(used));
    }

    private void start(Message.Start order, Connection connection) throws IOException {
        Duration silence = Duration.ofMillis(order.silenceMillis());
        silenceNanos = silence.toNanos();
        var identity = new Identity(
                plan.supervisor(),
                order.member(),
                ProcessHandle.current().pid(),
                plan.secret().text(),
                silence,
                order.job());
        members.put(
                order.member(), LocalMember.start(order.member(), launcher.start(identity.variables()), connection));
    }

    private void kill(int number) {
        LocalMember member = members.get(number);
        if (member != null) {
            member.kill();
        }
    }

    /// The supervisor is gone. The processes have noticed it, too.
    private Ending alone(boolean silent) throws InterruptedException {
        notes.accept("the first host, %s, %s; the processes here end"
                .formatted(plan.supervisor(), silent ? "gave no sign of life" : "has closed the connection"));
        awaitEnd(plan.lastSave().plus(LAST_PATIENCE));
        return new Ending(
                STOPPED,
                "the training at %s is gone, or this host was cut off; what was saved is kept; start the same command again on each host that has ended"
                        .formatted(plan.supervisor()));
    }

    private void awaitEnd(Duration limit) throws InterruptedException {
        long last = clock.nanos() + limit.toNanos();
        for (LocalMember member : members.values()) {
            member.await(Math.max(0, last - clock.nanos()));
        }
    }
}
