package dev.cairn.plan.recovery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/// Builds a trace process by process, with the events of each in order. Rejects a trace that cannot have happened, with
/// a one-line message.
public final class TraceBuilder {
    private static final String SEND = "send ";
    private static final String RECEIVE = "receive ";
    private static final String CHECKPOINT = "checkpoint ";
    private static final int CHECKPOINT_EVENT = -1;

    private final List<String> processes = new ArrayList<>();
    private final List<List<String>> checkpoints = new ArrayList<>();
    private final List<int[]> events = new ArrayList<>();
    private final NameTable messages = new NameTable();
    private int[] sender = new int[16];
    private int[] sentAfter = new int[16];
    private int[] receiver = new int[16];
    private int[] receivedAfter = new int[16];
    private int[] current = new int[16];
    private int currentCount;
    private LinkedHashSet<String> currentCheckpoints = new LinkedHashSet<>();

    /// Starts the next process. The events that follow belong to it.
    public TraceBuilder process(String name) {
        finishProcess();
        if (name.isBlank()) {
            throw new IllegalArgumentException("a process has no name; give it one");
        }
        checkText("process", name);
        if (processes.contains(name)) {
            throw new IllegalArgumentException("process '%s' occurs twice; names must differ".formatted(name));
        }
        processes.add(name);
        return this;
    }

    /// Adds an event of the process in the notation of trace files: `send NAME`, `receive NAME` or `checkpoint NAME`.
    public TraceBuilder event(String text) {
        if (text.startsWith(SEND)) {
            return send(text, SEND.length());
        }
        if (text.startsWith(RECEIVE)) {
            return receive(text, RECEIVE.length());
        }
        if (text.startsWith(CHECKPOINT)) {
            return checkpoint(text.substring(CHECKPOINT.length()).strip());
        }
        throw new IllegalArgumentException(
                "process '%s' has an unknown event '%s'; events are 'send NAME', 'receive NAME' and 'checkpoint NAME'"
                        .formatted(here(), text));
    }

    /// Adds a checkpoint of the process.
    public TraceBuilder checkpoint(String name) {
        if (name.isBlank() || name.equals(here() + "#0")) {
            throw new IllegalArgumentException(
                    "process '%s' has a checkpoint '%s'; this name is reserved or empty".formatted(here(), name));
        }
        checkText("checkpoint", name);
        if (!currentCheckpoints.add(name)) {
            throw new IllegalArgumentException(
                    "process '%s' has checkpoint '%s' twice; names must differ".formatted(here(), name));
        }
        add(CHECKPOINT_EVENT);
        return this;
    }

    /// Adds a message that the process sent.
    public TraceBuilder send(String message) {
        return send(message, 0);
    }

    private TraceBuilder send(String text, int from) {
        int number = number(text, from);
        if (sender[number] >= 0) {
            throw new IllegalArgumentException("message '%s' is sent twice, by '%s' and '%s'; names must differ"
                    .formatted(messages.name(number), processes.get(sender[number]), here()));
        }
        sender[number] = processes.size() - 1;
        sentAfter[number] = currentCheckpoints.size();
        add(2 * number);
        return this;
    }

    /// Adds a message that the process received.
    public TraceBuilder receive(String message) {
        return receive(message, 0);
    }

    private TraceBuilder receive(String text, int from) {
        int number = number(text, from);
        if (receiver[number] >= 0) {
            throw new IllegalArgumentException("message '%s' is received twice, by '%s' and '%s'; it has one receiver"
                    .formatted(messages.name(number), processes.get(receiver[number]), here()));
        }
        receiver[number] = processes.size() - 1;
        receivedAfter[number] = currentCheckpoints.size();
        add(2 * number + 1);
        return this;
    }

    /// Returns the trace.
    ///
    /// @throws IllegalArgumentException if the trace is impossible
    public Trace build() {
        finishProcess();
        if (processes.isEmpty()) {
            throw new IllegalArgumentException("the trace has no process");
        }
        for (int message = 0; message < messages.count(); message++) {
            if (sender[message] < 0) {
                throw new IllegalArgumentException("message '%s' is received by '%s' but never sent"
                        .formatted(messages.name(message), processes.get(receiver[message])));
            }
        }
        var trace = new Trace(
                processes, checkpoints, new Messages(messages, sender, sentAfter, receiver, receivedAfter), events);
        CausalOrder.of(trace);
        return trace;
    }

    /// Names must be printable because they are shown to users.
    private static void checkText(String what, String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < name.length()
                    && Character.isLowSurrogate(name.charAt(i + 1));
            if (Character.isISOControl(c) || (Character.isSurrogate(c) && !pair)) {
                throw new IllegalArgumentException(
                        "the name of a %s has a character that cannot be printed: U+%04X; choose another name"
                                .formatted(what, (int) c));
            }
            i += pair ? 1 : 0;
        }
    }

    private String here() {
        if (processes.isEmpty()) {
            throw new IllegalStateException("no process was started");
        }
        return processes.getLast();
    }

    /// Returns the number of the message whose name is the rest of the text, without surrounding white space.
    private int number(String text, int from) {
        int start = from;
        int end = text.length();
        while (start < end && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        while (end > start && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        if (start == end) {
            throw new IllegalArgumentException("process '%s' has a message without a name".formatted(here()));
        }
        int known = messages.count();
        int number = messages.numberOf(text, start, end);
        if (number < known) {
            return number;
        }
        checkText("message", text);
        if (number == sender.length) {
            sender = Arrays.copyOf(sender, 2 * number);
            sentAfter = Arrays.copyOf(sentAfter, 2 * number);
            receiver = Arrays.copyOf(receiver, 2 * number);
            receivedAfter = Arrays.copyOf(receivedAfter, 2 * number);
        }
        sender[number] = -1;
        receiver[number] = Trace.NOBODY;
        return number;
    }

    private void add(int event) {
        if (currentCount == current.length) {
            current = Arrays.copyOf(current, 2 * currentCount);
        }
        current[currentCount++] = event;
    }

    private void finishProcess() {
        if (processes.size() > events.size()) {
            events.add(Arrays.copyOf(current, currentCount));
            checkpoints.add(List.copyOf(currentCheckpoints));
            currentCount = 0;
            currentCheckpoints = new LinkedHashSet<>();
        }
    }
}
