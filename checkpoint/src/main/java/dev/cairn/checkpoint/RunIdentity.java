package dev.cairn.checkpoint;

import dev.cairn.store.Attributes;
import dev.cairn.store.CheckpointStore.Entry;
import dev.cairn.store.History;
import dev.cairn.store.LogRecord.Checkpoint;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Which run a checkpoint is of: a random name, the same in all its checkpoints and in those of its copy. So nobody
/// takes the copy of another run for his own, and removes from it.
record RunIdentity(String name) {
    private static final String ATTRIBUTE = "cairn.run";

    static RunIdentity random() {
        return new RunIdentity(HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
    }

    /// What the newest checkpoint tells, also one before a fresh start; empty where none does.
    static Optional<RunIdentity> of(History history) {
        List<Entry> entries = history.all();
        for (Entry entry : entries.reversed()) {
            if (entry instanceof Entry.Intact(Checkpoint checkpoint)) {
                return checkpoint.attributes().asMap().get(ATTRIBUTE) instanceof String name
                        ? Optional.of(new RunIdentity(name))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    Attributes asAttributes() {
        return Attributes.empty().with(ATTRIBUTE, name);
    }
}
