package dev.cairn.plan.recovery;

import java.util.ArrayDeque;
import java.util.Arrays;

/// Assigns a moment to every event of a trace. An event comes after all earlier events of its process, and a delivery
/// comes after its send. Throws if no such order exists.
final class CausalOrder {
    private static final int NONE = -1;

    private final Trace trace;
    private final int[][] moments;
    /// For each message: when it was sent, and the process that waits for it.
    private final int[] sentAt;
    private final int[] waiting;
    private final int[] next;
    private final ArrayDeque<Integer> ready = new ArrayDeque<>();

    private CausalOrder(Trace trace) {
        this.trace = trace;
        int count = trace.processes().size();
        this.moments = new int[count][];
        this.next = new int[count];
        this.sentAt = new int[trace.messageCount()];
        this.waiting = new int[trace.messageCount()];
        Arrays.fill(sentAt, NONE);
        Arrays.fill(waiting, NONE);
        for (int process = 0; process < count; process++) {
            moments[process] = new int[trace.events(process).length];
            ready.add(process);
        }
    }

    /// Returns the moments of the events of each process. They start at 0 and are as early as possible.
    static int[][] of(Trace trace) {
        return new CausalOrder(trace).order();
    }

    private int[][] order() {
        while (!ready.isEmpty()) {
            advance(ready.remove());
        }
        for (int process = 0; process < next.length; process++) {
            int[] events = trace.events(process);
            if (next[process] < events.length) {
                throw new IllegalArgumentException(
                        "impossible order: process '%s' receives '%s' before any process can have sent it"
                                .formatted(
                                        trace.processes().get(process),
                                        trace.messages().name(events[next[process]] >> 1)));
            }
        }
        return moments;
    }

    /// Advances the process until it waits for a message that is not sent yet.
    private void advance(int process) {
        int[] events = trace.events(process);
        int[] at = moments[process];
        for (int i = next[process]; i < events.length; i++) {
            int moment = i == 0 ? 0 : at[i - 1] + 1;
            int event = events[i];
            if (event >= 0 && (event & 1) == 1) {
                int message = event >> 1;
                if (sentAt[message] == NONE) {
                    waiting[message] = process;
                    next[process] = i;
                    return;
                }
                moment = Math.max(moment, sentAt[message] + 1);
            } else if (event >= 0) {
                int message = event >> 1;
                sentAt[message] = moment;
                if (waiting[message] != NONE) {
                    ready.add(waiting[message]);
                }
            }
            at[i] = moment;
        }
        next[process] = events.length;
    }
}
