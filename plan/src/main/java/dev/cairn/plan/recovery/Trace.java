package dev.cairn.plan.recovery;

import java.util.List;
import java.util.stream.IntStream;

/// The events of processes, each in its own order: checkpoints, and messages sent and received. A trace is always
/// possible; see [TraceBuilder].
///
/// A message is described by its sender and receiver, and by the number of checkpoints that each had made before it.
public final class Trace {
    /// The receiver of a message that never arrived.
    static final int NOBODY = -1;

    private final List<String> processes;
    private final List<List<String>> checkpoints;
    private final Messages messages;
    private final List<int[]> events;

    /// @param events for each process: `2 · message` for a send, `2 · message + 1` for a delivery, −1 for a checkpoint
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

    /// The index of a process in all lists, or −1 if there is no such process.
    public int indexOf(String process) {
        return processes.indexOf(process);
    }

    /// The names of a process's checkpoints, from number 1 on.
    public List<String> checkpoints(int process) {
        return checkpoints.get(process);
    }

    /// The number of checkpoints that a process made, which is also the number of its newest.
    public int newest(int process) {
        return checkpoints.get(process).size();
    }

    /// The name of a checkpoint. The implied one at the start of process P is `P#0`.
    public String name(int process, int checkpoint) {
        return checkpoint == 0
                ? processes.get(process) + "#0"
                : checkpoints.get(process).get(checkpoint - 1);
    }

    /// The number of messages.
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
