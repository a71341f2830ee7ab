package dev.cairn.plan.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.plan.recovery.States.Kind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecoveryLineTest {
    private static final Trace SMALL = Traces.of(ordered(
            List.of("send m1", "checkpoint CP1", "receive m2", "checkpoint CP2"),
            List.of("checkpoint CQ1", "receive m1", "send m2", "checkpoint CQ2")));

    private static final Trace FIVE_BY_FOUR = Traces.of(ordered(
            List.of(
                    "send m1",
                    "receive m2",
                    "checkpoint CP1",
                    "checkpoint CP2",
                    "receive m3",
                    "checkpoint CP3",
                    "send m4",
                    "receive m5",
                    "send m6",
                    "checkpoint CP4",
                    "receive m7",
                    "checkpoint CP5"),
            List.of(
                    "checkpoint CQ1",
                    "receive m1",
                    "send m2",
                    "send m3",
                    "checkpoint CQ2",
                    "receive m4",
                    "send m5",
                    "checkpoint CQ3",
                    "receive m6",
                    "send m7",
                    "checkpoint CQ4")));

    @Test
    void ofTheSmallTrace() {
        assertThat(states(SMALL, Kind.CONSISTENT)).contains(List.of(1, 2)).doesNotContain(List.of(2, 1));
    }

    @Test
    void ofFiveByFourCheckpoints() {
        assertThat(states(FIVE_BY_FOUR, Kind.CONSISTENT))
                .containsExactlyInAnyOrder(
                        List.of(1, 2), List.of(2, 2), List.of(3, 2), List.of(4, 3), List.of(4, 4), List.of(5, 4));
        assertThat(states(FIVE_BY_FOUR, Kind.RECOVERY_LINE)).containsExactlyInAnyOrder(List.of(3, 2), List.of(5, 4));
    }

    @Test
    void aFailureTakesOthersBackAsFarAsItMust() {
        int[] failed = {3, 4};
        int[] state = Rollback.from(FIVE_BY_FOUR, failed);
        assertThat(state).containsExactly(3, 2);
        assertThat(Rollback.undone(FIVE_BY_FOUR, state)).containsExactly(2, 2);
        assertThat(Rollback.isDomino(FIVE_BY_FOUR, state)).isFalse();
    }

    /// Each process saves after it receives a message and before it answers.
    @Test
    void theDominoEffectTakesAllToTheStart() {
        Trace trace = Traces.of(ordered(
                List.of("send a", "receive b", "checkpoint P1", "send c", "receive d", "checkpoint P2", "send e"),
                List.of("receive a", "checkpoint Q1", "send b", "receive c", "checkpoint Q2", "send d", "receive e")));
        int[] state = Rollback.from(trace, new int[] {0, 2});
        assertThat(state).containsExactly(0, 0);
        assertThat(Rollback.isDomino(trace, state)).isTrue();
        assertThat(Rollback.isDomino(trace, new int[] {0, 1})).isFalse();
    }

    /// A line of two of three processes: no message to or from the third may cross it.
    @Test
    void aLineOfSomeProcessesIsCrossedByNobodysMessages() {
        Trace trace = Traces.of(ordered(
                List.of("checkpoint P1", "send a", "checkpoint P2", "send b", "checkpoint P3"),
                List.of("receive a", "checkpoint Q1", "checkpoint Q2"),
                List.of("checkpoint R1", "receive b")));
        var members = new BitSet();
        members.set(0, 2);
        var found = States.of(trace, Kind.RECOVERY_LINE, members, false, 100);
        assertThat(found.complete()).isTrue();
        assertThat(found.states())
                .extracting(state -> List.of(state[0], state[1]))
                .containsExactlyInAnyOrder(List.of(3, 1), List.of(3, 2));
    }

    /// Compares with the definition, applied to the events of each process.
    @Test
    void agreesWithTryingEveryStateOnTenThousandTraces() {
        for (int seed = 0; seed < 10_000; seed++) {
            var random = new SplittableRandom(seed);
            Trace trace = Traces.random(random, 2 + random.nextInt(3), 4 + random.nextInt(22));
            int processes = trace.processes().size();
            int[] newest = trace.newestState();
            int failed = random.nextInt(processes);
            newest[failed] = random.nextInt(newest[failed] + 1);
            var consistent = new HashSet<List<Integer>>();
            var lines = new HashSet<List<Integer>>();
            int[] latest = new int[processes];
            tryAll(trace, new int[processes], 0, newest, consistent, lines, latest);
            assertThat(Rollback.from(trace, newest)).as("seed %d", seed).containsExactly(latest);
            assertThat(consistent).as("the latest of seed %d", seed).contains(boxed(latest));
            assertThat(below(states(trace, Kind.CONSISTENT), newest))
                    .as("seed %d", seed)
                    .isEqualTo(consistent);
            assertThat(below(states(trace, Kind.RECOVERY_LINE), newest))
                    .as("seed %d", seed)
                    .isEqualTo(lines);
        }
    }

    private static void tryAll(
            Trace trace,
            int[] state,
            int process,
            int[] newest,
            Set<List<Integer>> consistent,
            Set<List<Integer>> lines,
            int[] latest) {
        if (process < state.length) {
            for (int checkpoint = 0; checkpoint <= newest[process]; checkpoint++) {
                state[process] = checkpoint;
                tryAll(trace, state, process + 1, newest, consistent, lines, latest);
            }
            return;
        }
        var sent = new HashSet<Integer>();
        var received = new HashSet<Integer>();
        for (int p = 0; p < state.length; p++) {
            int seen = 0;
            for (int event : trace.events(p)) {
                if (seen == state[p]) {
                    break;
                }
                if (event < 0) {
                    seen++;
                } else if ((event & 1) == 0) {
                    sent.add(event >> 1);
                } else {
                    received.add(event >> 1);
                }
            }
        }
        if (sent.containsAll(received)) {
            consistent.add(boxed(state));
            for (int p = 0; p < state.length; p++) {
                latest[p] = Math.max(latest[p], state[p]);
            }
            if (received.containsAll(sent)) {
                lines.add(boxed(state));
            }
        }
    }

    @Test
    void aThousandProcessesAndAMillionMessagesTakeASecond() {
        var random = new SplittableRandom(3);
        int processes = 1000;
        var trace = manyMessages(random, processes, 1_000_000);
        ThreadMXBean thread = ManagementFactory.getThreadMXBean(); // a clock would also count other processes' work
        long start = thread.getCurrentThreadCpuTime();
        int[] newest = trace.newestState();
        newest[7] /= 2;
        int[] state = Rollback.from(trace, newest);
        double seconds = (thread.getCurrentThreadCpuTime() - start) / 1e9;
        assertThat(seconds).isLessThan(2);
        assertThat(state[7]).isLessThanOrEqualTo(newest[7]);
        for (int message = 0; message < trace.messageCount(); message++) {
            Messages messages = trace.messages();
            assertThat(messages.isOrphan(message, state[messages.sender(message)], state[messages.receiver(message)]))
                    .isFalse();
        }
    }

    private static Trace manyMessages(SplittableRandom random, int processes, int messages) {
        var order = new int[messages][];
        var perProcess = new java.util.ArrayList<List<int[]>>();
        for (int p = 0; p < processes; p++) {
            perProcess.add(new java.util.ArrayList<>());
        }
        for (int m = 0; m < messages; m++) {
            order[m] = new int[] {random.nextInt(processes), random.nextInt(processes)};
            perProcess.get(order[m][0]).add(new int[] {m, 0});
            perProcess.get(order[m][1]).add(new int[] {m, 1});
        }
        var builder = new TraceBuilder();
        for (int p = 0; p < processes; p++) {
            builder.process("p" + p);
            int count = 0;
            for (int[] event : perProcess.get(p)) {
                if (event[1] == 0) {
                    builder.send("m" + event[0]);
                } else {
                    builder.receive("m" + event[0]);
                }
                if (++count % 100 == 0) {
                    builder.checkpoint("c" + count);
                }
            }
        }
        return builder.build();
    }

    @Test
    void whatCannotHaveHappenedIsRefused() {
        refused("is received by 'P' but never sent", List.of("receive m"), List.of());
        refused("events are", List.of("sendm"), List.of());
        refused("events are", List.of("stop now"), List.of());
        refused("without a name", List.of("send "), List.of());
        refused("is sent twice", List.of("send m", "send m"), List.of());
        refused("is received twice", List.of("send m", "receive m"), List.of("receive m"));
        refused("checkpoint 'C' twice", List.of("checkpoint C", "checkpoint C"), List.of());
        refused("this name is reserved", List.of("checkpoint P#0"), List.of());
        refused("impossible order", List.of("receive a", "send b"), List.of("receive b", "send a"));
        refused("impossible order", List.of("receive a", "send a"), List.of());
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceBuilder().build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TraceBuilder().process("P").process("P"));
    }

    private static void refused(String why, List<String> p, List<String> q) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Traces.of(ordered(p, q)))
                .withMessageContaining(why);
    }

    @SafeVarargs
    private static Map<String, List<String>> ordered(List<String>... processes) {
        var named = new LinkedHashMap<String, List<String>>();
        for (int p = 0; p < processes.length; p++) {
            named.put(String.valueOf((char) ('P' + p)), processes[p]);
        }
        return named;
    }

    /// The states of all processes. They include the starts of processes only in the random traces.
    private static Set<List<Integer>> states(Trace trace, Kind kind) {
        var members = new BitSet();
        members.set(0, trace.processes().size());
        boolean withInitial = trace != SMALL && trace != FIVE_BY_FOUR;
        var found = States.of(trace, kind, members, withInitial, 1_000_000);
        assertThat(found.complete()).isTrue();
        var states = new HashSet<List<Integer>>();
        found.states().forEach(state -> states.add(boxed(state)));
        return states;
    }

    private static Set<List<Integer>> below(Set<List<Integer>> states, int[] newest) {
        states.removeIf(state -> IntStream.range(0, newest.length).anyMatch(p -> state.get(p) > newest[p]));
        return states;
    }

    private static List<Integer> boxed(int[] state) {
        return IntStream.of(state).boxed().toList();
    }
}
