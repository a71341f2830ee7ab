package dev.cairn.plan.recovery;

import java.util.ArrayDeque;

/// Finds the latest consistent state at or before given checkpoints, by rollback propagation: a process that received a
/// message whose send is undone is rolled back to before the delivery, which may undo more sends. Looks at each message
/// at most twice, for any trace.
public final class Rollback {
    private final Trace trace;
    private final Messages messages;
    /// Messages by sender, last sent first. Process p sent those from `firstOf[p]` to `firstOf[p + 1]`.
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

    /// Returns the latest consistent state with no checkpoint newer than the given ones, one for each process.
    public static int[] from(Trace trace, int[] newest) {
        for (int process = 0; process < newest.length; process++) {
            if (newest[process] < 0 || newest[process] > trace.newest(process)) {
                throw new IllegalArgumentException("process '%s' has no checkpoint number=%d"
                        .formatted(trace.processes().get(process), newest[process]));
            }
        }
        return new Rollback(trace, newest).propagate();
    }

    /// Returns the number of checkpoints that each process has after the one in the state.
    public static int[] undone(Trace trace, int[] state) {
        int[] undone = trace.newestState();
        for (int process = 0; process < undone.length; process++) {
            undone[process] -= state[process];
        }
        return undone;
    }

    /// Whether all checkpoints are lost: every process is back at its start, though some had checkpoints.
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

    /// Rolls back the processes that received a message which this process, at its current checkpoint, has not sent.
    private void look(int process) {
        for (int i = firstOf[process] + done[process]; i < firstOf[process + 1]; i++) {
            int message = bySender[i];
            if (messages.sentAfter(message) < state[process]) {
                return; // This message and all that follow are sent.
            }
            done[process]++;
            int receiver = messages.receiver(message);
            if (receiver != Trace.NOBODY && state[receiver] > messages.receivedAfter(message)) {
                state[receiver] = messages.receivedAfter(message);
                toLookAt.add(receiver);
            }
        }
    }

    /// Reads the events of each process backwards, which gives its sends in the order needed.
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
