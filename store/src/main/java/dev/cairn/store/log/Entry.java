package dev.cairn.store.log;

import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;

/// A number in the log: a checkpoint, or the reason why it cannot be read.
public sealed interface Entry {
    /// The number of the record.
    long number();

    /// The position among the other entries.
    long position();

    /// A checkpoint whose record can be read. Its segments were not checked.
    record Intact(Commit checkpoint) implements Entry {
        @Override
        public long number() {
            return checkpoint.number();
        }

        @Override
        public long position() {
            return checkpoint.position();
        }
    }

    /// A number whose record cannot be read, and the reason.
    record Unreadable(long number, StoreException reason) implements Entry {
        @Override
        public long position() {
            return number;
        }
    }

    /// The file of the record, relative to the run.
    default String file() {
        return RunFiles.record(number());
    }
}
