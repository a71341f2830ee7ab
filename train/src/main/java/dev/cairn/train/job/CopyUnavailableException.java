package dev.cairn.train.job;

import dev.cairn.checkpoint.Checkpoint;
import dev.cairn.store.StorageUnavailableException;
import java.io.IOException;
import java.util.Optional;

/// Thrown if the copy of a run cannot be read. The copy may have what the run has lost, so a job never starts
/// from step 0 in this case.
public final class CopyUnavailableException extends IOException {
    private static final long serialVersionUID = 1;

    private final StorageUnavailableException outage;

    private CopyUnavailableException(StorageUnavailableException cause) {
        super(cause.getMessage() + "; or start fresh, which does not read the copy", cause);
        this.outage = cause;
    }

    /// Why the copy cannot be read.
    public StorageUnavailableException outage() {
        return outage;
    }

    /// The problem: the message without its cure.
    public String problem() {
        return String.valueOf(outage.getMessage());
    }

    /// Reads from the copy.
    interface Question {
        Optional<Checkpoint> ask() throws IOException, JobRefusedException;
    }

    static Optional<Checkpoint> asking(Question question) throws IOException, JobRefusedException {
        try {
            return question.ask();
        } catch (StorageUnavailableException e) {
            throw new CopyUnavailableException(e);
        }
    }
}
