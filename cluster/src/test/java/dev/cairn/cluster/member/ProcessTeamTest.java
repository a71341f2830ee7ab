package dev.cairn.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.checkpoint.LiveTensor;
import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import dev.cairn.cluster.control.Address;
import dev.cairn.cluster.control.Connection;
import dev.cairn.cluster.control.Door;
import dev.cairn.cluster.control.Message;
import dev.cairn.cluster.control.Secret;
import dev.cairn.cluster.member.MemberLink.Identity;
import dev.cairn.codec.ElementType;
import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.engine.group.GradientExchange;
import dev.cairn.store.Attributes;
import dev.cairn.store.Role;
import dev.cairn.train.team.Replica;
import dev.cairn.train.team.TeamLostException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Three members as threads of this process, with real links to a supervisor that this test plays.
class ProcessTeamTest {
    private static final int SIZE = 3;

    private final Secret secret = Secret.random();
    private final Map<Integer, Connection> connections = new ConcurrentHashMap<>();
    private final List<LinkedBlockingQueue<Message>> said = new ArrayList<>();
    private final Map<String, MemoryGroup.Ring> rings = new ConcurrentHashMap<>();
    private final List<MemberLink> links = new ArrayList<>();
    private final List<Notices> notices = new ArrayList<>();
    private final List<ProcessTeam> teams = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Door door;

    private interface Act {
        Object by(int rank) throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        for (int i = 0; i < SIZE; i++) {
            said.add(new LinkedBlockingQueue<>());
        }
        door = Door.open(new Address(Address.THIS_HOST, 0), secret, this::serve);
        for (int i = 0; i < SIZE; i++) {
            var identity =
                    new Identity(door.address(), i, ProcessHandle.current().pid(), secret.text());
            assertThat(Identity.in(identity.variables())).contains(identity);
            links.add(MemberLink.open(identity));
            notices.add(Notices.none());
            teams.add(new ProcessTeam(
                    links.get(i),
                    meeting -> rings.computeIfAbsent(
                                    meeting.file().toString(), _ -> new MemoryGroup.Ring(meeting.size()))
                            .member(meeting.rank()),
                    notices.get(i)));
            states.add(new State(i));
        }
    }

    @AfterEach
    void end() {
        door.close();
        links.forEach(MemberLink::close);
        threads.shutdownNow();
    }

    private void serve(Message first, Connection connection) {
        int number = ((Message.Join) first).member();
        connections.put(number, connection);
        for (var read = connection.read(); read.isPresent(); read = connection.read()) {
            if (!(read.get() instanceof Message.Beat)) {
                said.get(number).add(read.get());
            }
        }
    }

    @Test
    void theMostAdvancedStateGoesToAllThatAreBehind() throws Exception {
        states.get(0).step = 4;
        states.get(1).step = 5;
        form(1, 1, List.of(0, 2));
        assertThat(states).allSatisfy(state -> {
            assertThat(state.step).isEqualTo(5);
            assertThat(state.attributes.text("of")).contains("1");
            assertThat(state.attributes.number("loss").orElseThrow()).isNaN();
            assertThat(state.weights.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(1, 1, 1, 1);
        });
        assertThat(teams.get(2).share().rank()).isEqualTo(2);
    }

    @Test
    void aNoticeToOneStopsAllAfterTheSameStepAndOnlyTheLeaderAsksForSaves() throws Exception {
        form(1, 0, List.of(1, 2));
        assertThat(step(1, 1)).containsOnly("loss=6.0 stops=false saves=false");
        assertThat(step(2, 0)).containsOnly("loss=6.0 stops=false saves=true");
        notices.get(2).post(Notice.byHand("test"));
        assertThat(step(3, 2)).containsOnly("loss=6.0 stops=true saves=false");
        assertThat(each(rank -> teams.get(rank).decide(rank == 0))).containsOnly(true);
        assertThat(each(rank -> teams.get(rank).decide(rank != 0))).containsOnly(false);
    }

    @Test
    void aFlippedBitIsFoundByAllAndItsRankIsNamed() throws Exception {
        form(1, 0, List.of(1, 2));
        each(rank -> {
            teams.get(rank).agree(states.get(rank));
            return rank;
        });
        states.get(1).weights.setAtIndex(ValueLayout.JAVA_FLOAT, 3, Float.MIN_VALUE);
        for (Future<Object> each : begin(rank -> {
            teams.get(rank).agree(states.get(rank));
            return rank;
        })) {
            assertThatThrownBy(each::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(BrokenGroupException.class)
                    .hasMessageContaining("[1]");
        }
        assertThat(next(0, Message.Odd.class)).isEqualTo(new Message.Odd(1, 0, List.of(1)));
    }

    @Test
    void attributesAreComparedToo() throws Exception {
        form(1, 0, List.of(1, 2));
        states.get(2).attributes = states.get(2).attributes.with("epoch", 1);
        for (Future<Object> each : begin(rank -> {
            teams.get(rank).agree(states.get(rank));
            return rank;
        })) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(BrokenGroupException.class);
        }
        assertThat(next(1, Message.Odd.class).ranks()).containsExactly(2);
    }

    @Test
    void aMemberThatWaitsCanBeToldToLeadAndOneWhoseSupervisorIsGoneGivesUp() throws Exception {
        List<Future<Object>> forming = begin(rank -> {
            teams.get(rank).form(states.get(rank));
            return rank;
        });
        next(0, Message.Waiting.class);
        connection(0).send(new Message.Lead(true));
        assertThatThrownBy(forming.get(0)::get).hasCauseInstanceOf(PromotedException.class);
        next(1, Message.Waiting.class);
        connection(1).close();
        assertThatThrownBy(forming.get(1)::get).hasCauseInstanceOf(TeamLostException.class);
    }

    private void form(long generation, int source, List<Integer> receivers) throws Exception {
        List<Future<Object>> forming = begin(rank -> {
            teams.get(rank).form(states.get(rank));
            return rank;
        });
        for (int rank = 0; rank < SIZE; rank++) {
            next(rank, Message.Waiting.class);
            connection(rank).send(new Message.Form(generation, rank, SIZE, "group-" + generation, source, receivers));
        }
        for (Future<Object> each : forming) {
            each.get();
        }
    }

    private Connection connection(int number) {
        return Objects.requireNonNull(connections.get(number));
    }

    private <T extends Message> T next(int number, Class<T> type) throws InterruptedException {
        Message next = said.get(number).take();
        while (!type.isInstance(next)) {
            next = said.get(number).take();
        }
        return type.cast(next);
    }

    /// The losses are 1, 2 and 3.
    ///
    /// @param saver the rank that wants a save
    private List<Object> step(long step, int saver) throws Exception {
        return each(rank -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment floats = arena.allocate(ValueLayout.JAVA_FLOAT, 8 + GradientExchange.OWN_FLOATS);
                ProcessTeam team = teams.get(rank);
                float loss = team.exchange(step, rank + 1, rank == saver).sum(floats, rank + 1);
                return "loss=%s stops=%b saves=%b".formatted(loss, team.stops(), team.saves());
            }
        });
    }

    private List<Object> each(Act act) throws Exception {
        var results = new ArrayList<>();
        for (Future<Object> each : begin(act)) {
            results.add(each.get());
        }
        return results;
    }

    private List<Future<Object>> begin(Act act) {
        var begun = new ArrayList<Future<Object>>();
        for (int i = 0; i < SIZE; i++) {
            int rank = i;
            begun.add(threads.submit(() -> act.by(rank)));
        }
        return begun;
    }

    private static final class State implements Replica {
        private static final int COUNT = 4;

        private final MemorySegment weights = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, COUNT);
        private long step;
        private Attributes attributes;

        State(int rank) {
            for (int i = 0; i < COUNT; i++) {
                weights.setAtIndex(ValueLayout.JAVA_FLOAT, i, rank);
            }
            attributes = Attributes.empty().with("of", Integer.toString(rank)).with("loss", Double.NaN);
        }

        @Override
        public long step() {
            return step;
        }

        @Override
        public long progress() {
            return step;
        }

        @Override
        public void overwriting() {
            step = NONE;
        }

        @Override
        public List<LiveTensor> tensors() {
            return List.of(LiveTensor.of("weights", Role.WEIGHT, ElementType.FLOAT32, weights, COUNT));
        }

        @Override
        public Attributes attributes() {
            return attributes;
        }

        @Override
        public void restored(long restoredStep, Attributes restored) {
            step = restoredStep;
            attributes = restored;
        }
    }
}
