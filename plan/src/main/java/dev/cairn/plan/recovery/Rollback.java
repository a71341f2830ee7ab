package dev.cairn.plan.recovery;

import java.util.ArrayDeque;

/// The latest consistent state at or before given checkpoints, by rollback propagation: whoever has received what is
/// now unsent goes back before it, which may unsend more. Looks at each message at most twice, whatever the trace.
public final class Rollback {
    private final Trace trace;
    private final Messages messages;
    /// Messages by sender, those sent last first; `firstOf[p]` to `firstOf[p + 1]` are of process p.
    private final int[] bySender;
    private final int[] firstOf;
    private final int[] done;
    private final int[] state;
    private final ArrayDeque<Integer> toLookAt = new ArrayDeque<>();

    private Rollback(Trace trace, int[] from) {
        this.trace = trace;
        this.messages = trace.messages();
        this.state = from.clone();
        this.firstOf = new int[trace.processes().size() + 1];
        this.bySender = sortBySender();
        this.done = new int[trace.processes().size()];
    }

    /// The newest checkpoint of each process.
    public static int[] newest(Trace trace) {
        return trace.newestState();
    }

    /// The latest consistent state of which no checkpoint is newer than those given, one of each process.
    public static int[] from(Trace trace, int[] newest) {
        for (int process = 0; process < newest.length; process++) {
            if (newest[process] < 0 || newest[process] > trace.newest(process)) {
                throw new IllegalArgumentException("process '%s' has no checkpoint number=%d"
                        .formatted(trace.processes().get(process), newest[process]));
            }
        }
        return new Rollback(trace, newest).propagate();
    }

    /// How many checkpoints each process has after those of the state.
    public static int[] undone(Trace trace, int[] state) {
        int[] undone = trace.newestState();
        for (int process = 0; process < undone.length; process++) {
            undone[process] -= state[process];
        }
        return undone;
    }

    /// Whether all that was saved is lost: every process is back at its beginning, though some had checkpoints.
    public static boolean isDomino(Trace trace, int[] state) {
        boolean lost = false;
        for (int process = 0; process < state.length; process++) {
            if (state[process] != 0) {
                return false;
            }
            lost |= trace.newest(process) > 0;
        }
        return lost;
    }

    private int[] propagate() {
        for (int process = 0; process < state.length; process++) {
            toLookAt.add(process);
        }
        while (!toLookAt.isEmpty()) {
            look(toLookAt.remove());
        }
        return state;
    }

    /// Takes back what received a message that this process has not sent, from where it is now.
    private void look(int process) {
        for (int i = firstOf[process] + done[process]; i < firstOf[process + 1]; i++) {
            int message = bySender[i];
            if (messages.sentAfter(message) < state[process]) {
                return; // It and all that follow are sent.
            }
            done[process]++;
            int receiver = messages.receiver(message);
            if (receiver != Trace.NOBODY && state[receiver] > messages.receivedAfter(message)) {
                state[receiver] = messages.receivedAfter(message);
                toLookAt.add(receiver);
            }
        }
    }

    /// The events of a process, read backwards, have its sends in this order.
    private int[] sortBySender() {
        int[] sorted = new int[messages.count()];
        int at = 0;
        for (int process = 0; process < firstOf.length - 1; process++) {
            firstOf[process] = at;
            int[] events = trace.events(process);
            for (int i = events.length - 1; i >= 0; i--) {
                if (events[i] >= 0 && (events[i] & 1) == 0) {
                    sorted[at++] = events[i] >> 1;
                }
            }
        }
        firstOf[firstOf.length - 1] = at;
        return sorted;
    }
}
