package dev.cairn.plan.recovery;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// All consistent states and all recovery lines of a small trace, by trying them: process after process, each
/// checkpoint that goes with those chosen so far.
public final class States {
    /// What goes together.
    public enum Kind {
        /// Every delivery that is recorded has its send recorded.
        CONSISTENT,
        /// Moreover no message is under way.
        RECOVERY_LINE
    }

    /// So many messages are looked at, then it stops: the number of states may grow with every checkpoint to a power.
    private static final long MOST_LOOKS = 200_000_000;

    private final Trace trace;
    private final Kind kind;
    private final BitSet members;
    private final int first;
    private final int most;
    /// Of each process its messages with processes before it, itself, and those that are not members.
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

    /// Those found, oldest first, each with the checkpoint of every process; that of a process that is no member is its
    /// newest and means nothing.
    ///
    /// @param complete whether there are no others
    public record Found(List<int[]> states, boolean complete) {
        public Found {
            states = List.copyOf(states);
        }
    }

    /// All of a kind.
    ///
    /// @param members the processes asked for; others are as at the end of the trace, and no message may cross
    /// @param withInitial whether states may have processes at their beginning
    /// @param most after so many it stops
    public static Found of(Trace trace, Kind kind, BitSet members, boolean withInitial, int most) {
        var states = new States(trace, kind, members, withInitial, most);
        states.choose(0);
        return new Found(states.found, states.all);
    }

    /// The process with which it is known whether the message crosses: the later of two members.
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

    /// Others are at the end, after all that they did.
    private int at(int process) {
        return members.get(process) ? state[process] : Integer.MAX_VALUE;
    }
}
