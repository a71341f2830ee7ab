package dev.cairn.observe.events;

import java.util.Set;

/// Kinds of events that writing and reading depend on.
final class EventKinds {
    /// The first line of every file: who wrote it.
    static final String ATTEMPT = "attempt";

    static final String STARTED = "started";
    static final String STEP = "step";
    static final String WENT_BACK = "wentBack";
    static final String ENDED = "ended";

    private static final Set<String> NEEDED = Set.of(ATTEMPT, STARTED, WENT_BACK, ENDED);

    private EventKinds() {}

    /// Whether readers need every line of this kind. There are few of them, and they are never thinned out.
    static boolean isNeeded(String kind) {
        return NEEDED.contains(kind);
    }
}
