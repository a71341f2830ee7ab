package dev.cairn.observe.events;

import java.util.Set;

/// The kinds of events that the writer and the reader treat specially.
final class EventKinds {
    static final String STARTED = "started";
    static final String STEP = "step";
    static final String WENT_BACK = "wentBack";
    static final String ENDED = "ended";
    static final String RECOVERED = "recovered";
    static final String WORKER = "worker";

    private static final Set<String> NEEDED = Set.of(STARTED, WENT_BACK, ENDED, RECOVERED, WORKER);

    private EventKinds() {}

    /// Whether readers need every line of this kind. There are few such lines, and they are never dropped.
    static boolean isNeeded(String kind) {
        return NEEDED.contains(kind);
    }
}
