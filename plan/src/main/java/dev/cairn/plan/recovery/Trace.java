package dev.cairn.plan.recovery;

import java.util.List;
import java.util.stream.IntStream;

/// What processes did, each in its own order: checkpoints, messages sent and received. Only what is possible: see
/// [TraceBuilder].
///
/// A message is known by its sender and receiver and by the number of checkpoints that each had made before it.
public final class Trace {
    /// The receiver of a message that never arrived.
    static final int NOBODY = -1;

    private final List<String> processes;
    private final List<List<String>> checkpoints;
    private final Messages messages;
    private final List<int[]> events;

    /// @param events of each process: `2 · message` for a send, that and 1 for a delivery, −1 for a checkpoint
    Trace(List<String> processes, List<List<String>> checkpoints, Messages messages, List<int[]> events) {
        this.processes = List.copyOf(processes);
        this.checkpoints = checkpoints.stream().map(List::copyOf).toList();
        this.messages = messages;
        this.events = List.copyOf(events);
    }

    /// The names of the processes.
    public List<String> processes() {
        return processes;
    }

    /// The place of a process in all lists, or −1.
    public int indexOf(String process) {
        return processes.indexOf(process);
    }

    /// The names of a process's checkpoints, from number 1 on.
    public List<String> checkpoints(int process) {
        return checkpoints.get(process);
    }

    /// How many checkpoints a process made: the number of its newest.
    public int newest(int process) {
        return checkpoints.get(process).size();
    }

    /// The name of a checkpoint; the implied one at the beginning is `P#0`.
    public String name(int process, int checkpoint) {
        return checkpoint == 0
                ? processes.get(process) + "#0"
                : checkpoints.get(process).get(checkpoint - 1);
    }

    /// How many messages there are.
    public int messageCount() {
        return messages.count();
    }

    /// The state with the newest checkpoint of each process.
    int[] newestState() {
        return IntStream.range(0, processes.size()).map(this::newest).toArray();
    }

    Messages messages() {
        return messages;
    }

    int[] events(int process) {
        return events.get(process);
    }
}
