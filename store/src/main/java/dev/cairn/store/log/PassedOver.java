package dev.cairn.store.log;

import dev.cairn.store.Attributes;
import dev.cairn.store.log.LogRecord.Commit;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The checkpoints that starts of this run passed over on the way to what it is now. Every checkpoint that is saved
/// afterwards tells it, among its attributes, so that no later writer removes them unseen: what was passed over stays
/// until a second look finds it damaged again.
///
/// @param ids of checkpoints, which may be gone by now
public record PassedOver(Set<String> ids) {
    private static final String ATTRIBUTE = "cairn.passedOver";
    private static final String BETWEEN = ",";

    /// None at all.
    public static final PassedOver NONE = new PassedOver(Set.of());

    public PassedOver {
        ids = Set.copyOf(ids);
    }

    /// What a checkpoint tells.
    public static PassedOver of(Attributes attributes) {
        return attributes.asMap().get(ATTRIBUTE) instanceof String text && !text.isEmpty()
                ? new PassedOver(Set.copyOf(Arrays.asList(text.split(BETWEEN, -1))))
                : NONE;
    }

    /// What the newest checkpoint of the run tells.
    public static PassedOver of(History history) {
        List<Entry> entries = history.current();
        for (Entry entry : entries.reversed()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                return of(checkpoint.attributes());
            }
        }
        return NONE;
    }

    /// These and others.
    public PassedOver and(Collection<String> others) {
        var all = new HashSet<>(ids);
        all.addAll(others);
        return new PassedOver(all);
    }

    /// Those of them that the run still has.
    public PassedOver within(History history) {
        var left = new HashSet<String>();
        for (Entry entry : history.current()) {
            if (entry instanceof Entry.Intact(Commit checkpoint) && ids.contains(checkpoint.id())) {
                left.add(checkpoint.id());
            }
        }
        return new PassedOver(left);
    }

    /// For the checkpoints that come; nothing where none was passed over.
    public Attributes asAttributes() {
        return ids.isEmpty()
                ? Attributes.empty()
                : Attributes.empty().with(ATTRIBUTE, String.join(BETWEEN, new TreeSet<>(ids)));
    }

    /// Whether this checkpoint is one of them.
    public boolean has(Commit checkpoint) {
        return ids.contains(checkpoint.id());
    }
}
