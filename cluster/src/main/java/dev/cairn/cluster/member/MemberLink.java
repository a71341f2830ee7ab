package dev.cairn.cluster.member;

import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Failure;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Message.Beat;
import dev.cairn.cluster.control.Message.Broken;
import dev.cairn.cluster.control.Message.Cards;
import dev.cairn.cluster.control.Message.Join;
import dev.cairn.cluster.control.Message.Regroup;
import dev.cairn.cluster.control.Message.Stop;
import dev.cairn.cluster.control.Secret;
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
    /// The variable that tells a process that it is a member, and of which supervisor: host, port, number,
    /// parent process, milliseconds of silence, job.
    public static final String VARIABLE = "CAIRN_MEMBER";

    /// The variable that has the secret of the job.
    public static final String SECRET = "CAIRN_MEMBER_SECRET";

    /// The time between two signs of life.
    public static final Duration BEAT = Duration.ofMillis(200);

    /// A process that did not run for this long was stopped itself, and could hear nothing.
    private static final Duration LATE = BEAT.multipliedBy(5);

    private final Connection connection;
    private final Duration silence;
    private final String job;
    private final BlockingQueue<Optional<Message>> commands = new LinkedBlockingQueue<>();
    private volatile Consumer<Stop> stopped = _ -> {};
    private volatile Consumer<Broken> broken = _ -> {};
    private volatile Consumer<Regroup> regroup = _ -> {};
    private volatile Consumer<Cards> cards = _ -> {};
    private volatile Consumer<Failure> recovered = _ -> {};
    private volatile Runnable lost = () -> {};
    private volatile boolean isLost;
    private volatile long heardNanos = System.nanoTime();
    private volatile Supplier<Beat> pulse = () -> new Beat(0, 0, "", Tally.NONE);

    private MemberLink(Connection connection, Duration silence, String job) {
        this.connection = connection;
        this.silence = silence;
        this.job = job;
    }

    /// Which member this process is.
    ///
    /// @param supervisor where the supervisor listens
    /// @param parent the process that started it
    /// @param secret the secret of the job
    /// @param silence after how long without a message the supervisor is taken for gone; zero for never
    /// @param job the name of the job; empty if all of it is on one host
    public record Identity(Address supervisor, int number, long parent, String secret, Duration silence, String job) {
        /// On the host of the supervisor, which is the parent.
        public Identity(Address supervisor, int number, long parent, String secret) {
            this(supervisor, number, parent, secret, Duration.ZERO, "");
        }

        /// The identity in the environment of a process; empty if it is no member.
        public static Optional<Identity> in(Map<String, String> environment) {
            String text = environment.get(VARIABLE);
            String secret = environment.get(SECRET);
            if (text == null || secret == null) {
                return Optional.empty();
            }
            String[] words = text.split(" ", -1);
            if (words.length != 6) {
                throw new IllegalArgumentException(
                        "%s=%s is not what a supervisor sets; unset it".formatted(VARIABLE, text));
            }
            return Optional.of(new Identity(
                    new Address(words[0], Integer.parseInt(words[1])),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]),
                    secret,
                    Duration.ofMillis(Long.parseLong(words[4])),
                    words[5]));
        }

        /// The variables for the environment of this member.
        public Map<String, String> variables() {
            return Map.of(
                    VARIABLE,
                    "%s %d %d %d %d %s"
                            .formatted(supervisor.host(), supervisor.port(), number, parent, silence.toMillis(), job),
                    SECRET,
                    secret);
        }
    }

    /// Connects to the supervisor.
    public static MemberLink open(Identity identity) throws IOException {
        var connection = Connection.to(identity.supervisor(), Secret.of(identity.secret()));
        var link = new MemberLink(connection, identity.silence(), identity.job());
        link.send(new Join(identity.number()));
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

    /// Sets who hears how to reach the others of a group.
    void onCards(Consumer<Cards> whenDealt) {
        cards = whenDealt;
    }

    /// The address of this process as the supervisor sees it, which other hosts can reach too.
    String address() {
        return connection.localAddress();
    }

    /// The name of the job; empty if all of it is on one host.
    String job() {
        return job;
    }

    /// After how long without a message something is taken for gone; zero if all is on one host.
    Duration silence() {
        return silence;
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
            heardNanos = System.nanoTime();
            switch (read.get()) {
                case Message.Alive _ -> {}
                case Cards dealt -> cards.accept(dealt);
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
            long before = System.nanoTime();
            while (!isLost) {
                connection.send(pulse.get());
                Thread.sleep(BEAT);
                long now = System.nanoTime();
                heardNanos = now - before > LATE.toNanos() ? now : heardNanos;
                before = now;
                if (silence.isPositive() && now - heardNanos > silence.toNanos()) {
                    connection.close(); // which ends the reading
                }
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
