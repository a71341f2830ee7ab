package dev.cairn.store.log;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The checkpoints that starts of this run skipped on the way to its present state. Every checkpoint saved afterwards
/// lists them in its attributes, so that no later writer removes them unseen: a skipped checkpoint stays until a second
/// check finds it damaged again.
///
/// @param ids the ids of the checkpoints, which may no longer exist
public record PassedOver(Set<String> ids) {
    private static final String ATTRIBUTE = "cairn.passedOver";
    private static final String BETWEEN = ",";

    /// No skipped checkpoints.
    public static final PassedOver NONE = new PassedOver(Set.of());

    public PassedOver {
        ids = Set.copyOf(ids);
    }

    /// The skipped checkpoints that a checkpoint lists in its attributes.
    public static PassedOver of(Attributes attributes) {
        return attributes.asMap().get(ATTRIBUTE) instanceof String text && !text.isEmpty()
                ? new PassedOver(Set.copyOf(Arrays.asList(text.split(BETWEEN, -1))))
                : NONE;
    }

    /// The skipped checkpoints that the newest checkpoint of the run lists.
    public static PassedOver of(History history) {
        List<Entry> entries = history.current();
        for (Entry entry : entries.reversed()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                return of(checkpoint.attributes());
            }
        }
        return NONE;
    }

    /// Returns a copy with these ids added.
    public PassedOver and(Collection<String> others) {
        var all = new HashSet<>(ids);
        all.addAll(others);
        return new PassedOver(all);
    }

    /// The skipped checkpoints that the run still has.
    public PassedOver within(History history) {
        var left = new HashSet<String>();
        for (Entry entry : history.current()) {
            if (entry instanceof Entry.Intact(Commit checkpoint) && ids.contains(checkpoint.id())) {
                left.add(checkpoint.id());
            }
        }
        return new PassedOver(left);
    }

    /// The attributes for new checkpoints; empty if no checkpoint was skipped.
    public Attributes asAttributes() {
        return ids.isEmpty()
                ? Attributes.empty()
                : Attributes.empty().with(ATTRIBUTE, String.join(BETWEEN, new TreeSet<>(ids)));
    }

    /// Whether this checkpoint was skipped.
    public boolean has(Commit checkpoint) {
        return ids.contains(checkpoint.id());
    }
}
