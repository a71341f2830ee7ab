package dev.cairn.store.log;

import dev.cairn.store.StoreException;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.Commit;

/// One number of the log: a checkpoint, or why it cannot be read.
public sealed interface Entry {
    /// The number of its record.
    long number();

    /// Where it stands among the others.
    long position();

    /// A checkpoint whose record reads; its segments were not looked at.
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

    /// A number whose record does not read, and why.
    record Unreadable(long number, StoreException reason) implements Entry {
        @Override
        public long position() {
            return number;
        }
    }

    /// The record's file, relative to the run.
    default String file() {
        return RunFiles.record(number());
    }
}
