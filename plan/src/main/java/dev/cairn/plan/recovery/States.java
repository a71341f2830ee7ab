package dev.cairn.plan.recovery;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Finds all consistent states or all recovery lines of a small trace by search. Process by process, it tries each
/// checkpoint that fits the checkpoints chosen so far.
public final class States {
    /// Which states to look for.
    public enum Kind {
        /// For every recorded delivery, the send is recorded too.
        CONSISTENT,
        /// The state is consistent, and no message is in transit.
        RECOVERY_LINE
    }

    /// The search stops after looking at this many messages. The number of states may be as large as the number of
    /// checkpoints of a process to the power of the number of processes.
    private static final long MOST_LOOKS = 200_000_000;

    private final Trace trace;
    private final Kind kind;
    private final BitSet members;
    private final int first;
    private final int most;
    /// For each process, its messages with earlier processes, with itself, and with processes that are not members.
    private final List<List<Integer>> messagesOf = new ArrayList<>();
    private final List<int[]> found = new ArrayList<>();
    private final int[] state;
    private boolean all = true;
    private long looks;

    private States(Trace trace, Kind kind, BitSet members, boolean withInitial, int most) {
        this.trace = trace;
        this.kind = kind;
        this.members = members;
        this.first = withInitial ? 0 : 1;
        this.most = most;
        this.state = trace.newestState();
        trace.processes().forEach(_ -> messagesOf.add(new ArrayList<>()));
        for (int message = 0; message < trace.messageCount(); message++) {
            messagesOf.get(decidedAt(message)).add(message);
        }
    }

    /// The states found, oldest first, each with one checkpoint for every process. For a process that is not a member,
    /// it is the newest checkpoint and has no meaning.
    ///
    /// @param complete whether the search found all states
    public record Found(List<int[]> states, boolean complete) {
        public Found {
            states = List.copyOf(states);
        }
    }

    /// Finds all states of a kind.
    ///
    /// @param members the processes to consider; the others stay at the end of the trace, and no message may cross
    /// @param withInitial whether a state may have processes at their start
    /// @param most the maximum number of states to return
    public static Found of(Trace trace, Kind kind, BitSet members, boolean withInitial, int most) {
        var states = new States(trace, kind, members, withInitial, most);
        states.choose(0);
        return new Found(states.found, states.all);
    }

    /// Returns the process whose checkpoint decides whether the message crosses: the later of two members.
    private int decidedAt(int message) {
        int sender = trace.messages().sender(message);
        int receiver = trace.messages().receiver(message);
        if (receiver == Trace.NOBODY) {
            return sender;
        }
        if (members.get(sender) == members.get(receiver)) {
            return Math.max(sender, receiver);
        }
        return members.get(sender) ? sender : receiver;
    }

    private void choose(int process) {
        if (process == state.length) {
            all = found.size() < most;
            if (all) {
                found.add(state.clone());
            }
            return;
        }
        if (!members.get(process)) {
            choose(process + 1);
            return;
        }
        for (int checkpoint = first; checkpoint <= trace.newest(process) && all; checkpoint++) {
            state[process] = checkpoint;
            if (fits(process) && all) {
                choose(process + 1);
            }
        }
    }

    private boolean fits(int process) {
        Messages messages = trace.messages();
        looks += messagesOf.get(process).size() + 1;
        all = looks < MOST_LOOKS;
        for (int message : messagesOf.get(process)) {
            int sender = messages.sender(message);
            int receiver = messages.receiver(message);
            int senderAt = at(sender);
            int receiverAt = receiver == Trace.NOBODY ? 0 : at(receiver);
            boolean orphan = receiver != Trace.NOBODY && messages.isOrphan(message, senderAt, receiverAt);
            boolean strict = kind == Kind.RECOVERY_LINE;
            if (orphan || (strict && messages.isUnderWay(message, senderAt, receiverAt))) {
                return false;
            }
        }
        return true;
    }

    /// Processes that are not members are at the end, after all their events.
    private int at(int process) {
        return members.get(process) ? state[process] : Integer.MAX_VALUE;
    }
}
