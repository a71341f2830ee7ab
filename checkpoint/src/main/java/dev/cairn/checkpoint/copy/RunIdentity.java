package dev.cairn.checkpoint.copy;

import dev.cairn.store.Attributes;
import dev.cairn.store.CommitConflictException;
import dev.cairn.store.log.Entry;
import dev.cairn.store.log.History;
import dev.cairn.store.log.LogRecord.Commit;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The identity of a run: a random name, the same in all its checkpoints and in those of its copy. It prevents a run
/// from mistaking the copy of another run for its own and removing checkpoints from it.
public record RunIdentity(String name) {
    private static final String ATTRIBUTE = "cairn.run";

    public static RunIdentity random() {
        return new RunIdentity(HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
    }

    /// The identity in the newest checkpoint, even if it is from before a fresh start; empty if no checkpoint has
    /// one.
    public static Optional<RunIdentity> of(History history) {
        List<Entry> entries = history.all();
        for (Entry entry : entries.reversed()) {
            if (entry instanceof Entry.Intact(Commit checkpoint)) {
                return checkpoint.attributes().asMap().get(ATTRIBUTE) instanceof String name
                        ? Optional.of(new RunIdentity(name))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Throws if two histories are of different runs. A history without checkpoints may be of any run.
    ///
    /// @throws CommitConflictException if they are
    static void requireSame(History run, History copy) throws CommitConflictException {
        Optional<RunIdentity> own = of(run);
        Optional<RunIdentity> other = of(copy);
        if (own.isPresent() && other.isPresent() && !own.equals(other)) {
            throw CommitConflictException.ofAnotherRun();
        }
    }

    public Attributes asAttributes() {
        return Attributes.empty().with(ATTRIBUTE, name);
    }
}
