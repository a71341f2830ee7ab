package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Message.Beat;
import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Hello;
import dev.cairn.cluster.control.Message.Regroup;
import dev.cairn.cluster.control.Message.Stop;
import dev.cairn.cluster.control.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A member's link to its supervisor. One thread reads, and another tells several times a second that this process is
/// alive. The end of the link means that the supervisor is gone.
public final class MemberLink implements AutoCloseable {
    /// The variable that tells a process that it is a member, and of which supervisor: host, port, number, process.
    public static final String VARIABLE = "CAIRN_MEMBER";

    /// The variable that has the secret of the job.
    public static final String SECRET = "CAIRN_MEMBER_SECRET";

    /// The time between two signs of life.
    public static final Duration BEAT = Duration.ofMillis(200);

    private final Connection connection;
    private final BlockingQueue<Optional<Message>> commands = new LinkedBlockingQueue<>();
    private volatile Consumer<Stop> stopped = _ -> {};
    private volatile Consumer<Broken> broken = _ -> {};
    private volatile Consumer<Regroup> regroup = _ -> {};
    private volatile Consumer<Failure> recovered = _ -> {};
    private volatile Runnable lost = () -> {};
    private volatile boolean isLost;
    private volatile Supplier<Beat> pulse = () -> new Beat(0, 0, "", Tally.NONE);

    private MemberLink(Connection connection) {
        this.connection = connection;
    }

    /// Which member this process is.
    ///
    /// @param supervisor the process that started it
    public record Identity(Address address, int number, long supervisor, String secret) {
        /// The identity in the environment of a process; empty if it is no member.
        public static Optional<Identity> in(Map<String, String> environment) {
            String text = environment.get(VARIABLE);
            String secret = environment.get(SECRET);
            if (text == null || secret == null) {
                return Optional.empty();
            }
            String[] words = text.split(" ", -1);
            if (words.length != 4) {
                throw new IllegalArgumentException(
                        "%s=%s is not what a supervisor sets; unset it".formatted(VARIABLE, text));
            }
            return Optional.of(new Identity(
                    new Address(words[0], Integer.parseInt(words[1])),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]),
                    secret));
        }

        /// The variables for the environment of this member.
        public Map<String, String> variables() {
            return Map.of(
                    VARIABLE,
                    "%s %d %d %d".formatted(address.host(), address.port(), number, supervisor),
                    SECRET,
                    secret);
        }
    }

    /// Connects to the supervisor.
    public static MemberLink open(Identity identity) throws IOException {
        var link = new MemberLink(Connection.to(identity.address()));
        link.send(new Hello(identity.secret(), identity.number()));
        Thread.ofPlatform().name("cairn-link").daemon(true).start(link::listen);
        Thread.ofPlatform().name("cairn-pulse").daemon(true).start(link::beat);
        return link;
    }

    /// Sets who hears that the training must stop, and that the supervisor is gone. Both are called on a thread of
    /// the link.
    public void onStop(Consumer<Stop> whenStopped, Runnable whenLost) {
        stopped = whenStopped;
        lost = whenLost;
        if (isLost) {
            whenLost.run();
        }
    }

    /// Sets what to tell with each sign of life.
    public void onBeat(Supplier<Beat> newPulse) {
        pulse = newPulse;
    }

    /// Sets who hears that the team is complete again after a death. Only the leader is told.
    public void onRecovered(Consumer<Failure> whenRecovered) {
        recovered = whenRecovered;
    }

    /// Sets who hears at once that a group will not be complete.
    void onBroken(Consumer<Broken> whenBroken) {
        broken = whenBroken;
    }

    /// Sets who hears at once that a group is to form again after its present step.
    void onRegroup(Consumer<Regroup> whenRegrouping) {
        regroup = whenRegrouping;
    }

    /// Tells the supervisor something.
    public void send(Message message) {
        connection.send(message);
    }

    /// Whether the supervisor is gone.
    public boolean isLost() {
        return isLost;
    }

    /// Waits for the supervisor's next command. Empty if it is gone.
    public Optional<Message> next() {
        try {
            Optional<Message> next = commands.take();
            if (next.isEmpty()) {
                commands.add(next); // for the next call
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void listen() {
        for (Optional<Message> read = connection.read(); read.isPresent(); read = connection.read()) {
            switch (read.get()) {
                case Stop stop -> stopped.accept(stop);
                case Broken gone -> {
                    broken.accept(gone);
                    commands.add(Optional.of(gone));
                }
                case Regroup again -> regroup.accept(again);
                case Message.Recovered(var failure) -> recovered.accept(failure);
                case Message command -> commands.add(Optional.of(command));
            }
        }
        isLost = true;
        commands.add(Optional.empty());
        lost.run();
    }

    private void beat() {
        try {
            while (!isLost) {
                connection.send(pulse.get());
                Thread.sleep(BEAT);
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
