package dev.cairn.plan.recovery;

import java.util.ArrayList;
import java.util.List;

/// The moment of every event in a trace, for a drawing. No event is earlier than the events it depends on. The start of
/// each process is at −1.
public final class Moments {
    private final List<int[]> checkpoints = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private int events;
    private int last;

    /// A message from one process and moment to another.
    ///
    /// @param receiver −1 if the message never arrived
    public record Message(String name, int sender, int sent, int receiver, int received) {}

    private Moments() {}

    /// Returns the moments of this trace.
    public static Moments of(Trace trace) {
        int[][] order = CausalOrder.of(trace);
        var moments = new Moments();
        int[] sent = new int[trace.messageCount()];
        int[] received = new int[trace.messageCount()];
        for (int process = 0; process < order.length; process++) {
            int[] made = new int[trace.newest(process) + 1];
            made[0] = -1;
            int next = 1;
            int[] happened = trace.events(process);
            for (int i = 0; i < happened.length; i++) {
                if (happened[i] < 0) {
                    made[next++] = order[process][i];
                } else {
                    ((happened[i] & 1) == 0 ? sent : received)[happened[i] >> 1] = order[process][i];
                }
                moments.last = Math.max(moments.last, order[process][i]);
            }
            moments.events += happened.length;
            moments.checkpoints.add(made);
        }
        Messages all = trace.messages();
        for (int message = 0; message < all.count(); message++) {
            moments.messages.add(new Message(
                    all.name(message), all.sender(message), sent[message], all.receiver(message), received[message]));
        }
        return moments;
    }

    /// The number of events.
    public int events() {
        return events;
    }

    /// The last moment.
    public int last() {
        return last;
    }

    /// The moment at which a checkpoint was made.
    public int checkpoint(int process, int number) {
        return checkpoints.get(process)[number];
    }

    /// All messages.
    public List<Message> messages() {
        return List.copyOf(messages);
    }
}
