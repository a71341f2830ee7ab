package dev.cairn.checkpoint.save;

import dev.cairn.checkpoint.Cancellation;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// The permission of one save to continue. Once it is withdrawn, or the save is cancelled, no further block is
/// written and nothing is committed.
final class SaveTicket {
    private final Cancellation cancellation;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean withdrawn;

    SaveTicket(Cancellation cancellation) {
        this.cancellation = cancellation;
    }

    void withdraw() {
        withdrawn = true;
    }

    /// Returns true for the first caller that abandons the save.
    boolean endsNow() {
        return ended.compareAndSet(false, true);
    }

    boolean isWithdrawn() {
        return withdrawn || cancellation.isCancelled();
    }

    void check() throws AbortedException {
        if (isWithdrawn()) {
            throw new AbortedException();
        }
    }

    /// Thrown if the save was abandoned.
    static final class AbortedException extends IOException {
        private static final long serialVersionUID = 1;

        AbortedException() {
            super("the save was abandoned");
        }
    }
}
