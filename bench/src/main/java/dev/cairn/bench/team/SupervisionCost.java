package dev.cairn.bench.team;

import dev.cairn.bench.Medians;
import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Door;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.member.MemberLink;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.cluster.member.ProcessTeam;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.engine.group.ProcessGroup;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.train.team.Replica;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;

/// What supervision and agreement cost a worker, without what the network takes: a real member of a team, with a link
/// to a supervisor, whose group exchanges nothing.
final class SupervisionCost implements AutoCloseable {
    private static final String PULSE = "cairn-pulse";
    private static final int ROUNDS = 15;
    private static final int STEPS = 20_000;
    private static final int SAVES = 50;

    private final Door door;
    private final MemberLink link;
    private final ProcessTeam team;
    private final State state;

    /// @param stateBytes the size of the state that is compared
    SupervisionCost(long stateBytes) throws IOException {
        Secret secret = Secret.random();
        door = Door.open(new Address(Address.THIS_HOST, 0), secret, SupervisionCost::serve);
        link = MemberLink.open(
                new Identity(door.address(), 0, ProcessHandle.current().pid(), secret.text()));
        team = new ProcessTeam(link, _ -> new Alone(), Notices.none());
        link.onBeat(() -> new Message.Beat(team.finishedStep(), 0, "", team.tally()));
        state = new State(stateBytes);
        team.form(state);
    }

    private static void serve(Message first, Connection connection) {
        int number = ((Message.Join) first).member();
        for (var read = connection.read(); read.isPresent(); read = connection.read()) {
            if (read.get() instanceof Message.Waiting(long generation, long _, long _)) {
                connection.send(new Message.Form(generation + 1, number, 1, "nowhere", 0, List.of()));
            }
        }
    }

    /// The seconds that a step spends on what all agree on.
    double ofStep() {
        double[] seconds = new double[ROUNDS];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, GradientExchange.OWN_FLOATS);
            long step = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                int wishes = 0;
                for (int i = 0; i < STEPS; i++) {
                    step++;
                    team.exchange(step, 32, false).sum(floats, 1);
                    wishes += team.stops() || team.saves() || team.regroups() ? 1 : 0;
                }
                seconds[round] = (System.nanoTime() - start) / 1e9 / STEPS;
                if (wishes > 0) {
                    throw new IllegalStateException("nobody has asked for anything");
                }
            }
        }
        return Medians.of(seconds).median();
    }

    /// The seconds in which the states are compared before a save.
    double ofSave() {
        double[] seconds = new double[SAVES];
        for (int i = 0; i < SAVES; i++) {
            long start = System.nanoTime();
            team.agree(state);
            seconds[i] = (System.nanoTime() - start) / 1e9;
        }
        return Medians.of(seconds).median();
    }

    /// The share of a core that the signs of life take.
    double ofPulse() throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = pulseNanos(threads);
        long start = System.nanoTime();
        Thread.sleep(3000);
        return (double) (pulseNanos(threads) - before) / (System.nanoTime() - start);
    }

    private static long pulseNanos(ThreadMXBean threads) {
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals(PULSE)) {
                return threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        throw new IllegalStateException("no thread " + PULSE);
    }

    @Override
    public void close() {
        team.close();
        link.close();
        door.close();
    }

    /// A group of one, whose sums are what it has.
    private static final class Alone implements ProcessGroup {
        @Override
        public int rank() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public void sumFloats(MemorySegment floats) {}

        @Override
        public void sumDoubles(MemorySegment doubles) {}

        @Override
        public void send(MemorySegment bytes, int to) {
            throw new UnsupportedOperationException("there is nobody else");
        }

        @Override
        public void receive(MemorySegment bytes, int from) {
            throw new UnsupportedOperationException("there is nobody else");
        }

        @Override
        public void close() {}
    }

    private static final class State implements Replica {
        private final LiveTensor tensor;

        State(long bytes) {
            tensor = LiveTensor.of(
                    "state",
                    Role.WEIGHT,
                    ElementType.FLOAT32,
                    Arena.ofAuto().allocate(bytes / Float.BYTES * Float.BYTES, 64),
                    bytes / Float.BYTES);
        }

        @Override
        public long step() {
            return 0;
        }

        @Override
        public long progress() {
            return 0;
        }

        @Override
        public void overwriting() {}

        @Override
        public List<LiveTensor> tensors() {
            return List.of(tensor);
        }

        @Override
        public Attributes attributes() {
            return Attributes.empty();
        }

        @Override
        public void restored(long step, Attributes attributes) {}
    }
}
