package dev.cairn.store.log;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.blob.SecondLook;
import dev.cairn.store.log.LogRecord.TakenOver;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The run's one numbered log. A number is taken by creating its record if absent; it is never taken twice.
public final class CommitLog {
    private static final long LARGEST_RECORD = 256 << 20;

    /// Fifteen digits: more than any run will ever need.
    private static final long LAST_NUMBER = 999_999_999_999_999L;

    private final BlobStore blobs;
    /// What was read from remote storage. A record never changes while its number is taken; and a number that is taken
    /// again, by a writer that was cut off, means nothing before and after.
    private final Map<Long, LogRecord> known = new ConcurrentHashMap<>();

    /// The log in this storage.
    public CommitLog(BlobStore blobs) {
        this.blobs = blobs;
    }

    /// The numbers taken, lowest first.
    List<Long> numbers() throws IOException {
        var numbers = new ArrayList<Long>();
        for (String name : blobs.list(RunFiles.LOG)) {
            long number = RunFiles.recordNumber(name);
            if (number >= 0) {
                numbers.add(number);
            }
        }
        Collections.sort(numbers);
        return numbers;
    }

    /// What a record says, a checkpoint without its tensors.
    public LogRecord read(long number) throws IOException {
        String name = checkedName(number);
        return SecondLook.at(() -> RecordFormat.read(name, number, bytes(name)));
    }

    /// The full description of a checkpoint.
    ///
    /// @throws DamagedException where the number is no longer, or never was, a checkpoint's
    public Manifest manifest(long number) throws IOException {
        String name = checkedName(number);
        return SecondLook.at(() -> RecordFormat.manifest(name, number, bytes(name)));
    }

    private static String checkedName(long number) throws DamagedException {
        String name = RunFiles.record(number);
        if (number == LAST_NUMBER) {
            throw new DamagedException(name, "no number is left after it, so it is none of ours; repair the run");
        }
        return name;
    }

    private byte[] bytes(String name) throws IOException {
        try {
            return blobs.readAll(name, LARGEST_RECORD);
        } catch (NoSuchFileException removed) {
            throw new DamagedException(name, "file is missing, though its segments are there");
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends within the record");
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
    }

    /// The record as it was when it was first read, where storage is remote.
    LogRecord recall(long number) throws IOException {
        if (!blobs.isRemote()) {
            return read(number);
        }
        LogRecord entry = known.get(number);
        if (entry == null) {
            entry = read(number);
            known.put(number, entry);
        }
        return entry;
    }

    /// Forgets records of other numbers than these.
    void remember(List<Long> numbers) {
        known.keySet().retainAll(Set.copyOf(numbers));
    }

    /// Whether every record takes its time to come.
    boolean isRemote() {
        return blobs.isRemote();
    }

    /// Throws where no record can have this number.
    public static void checkLeft(long number) throws DamagedException {
        if (number >= LAST_NUMBER) {
            throw new DamagedException(
                    RunFiles.LOG, "no number is left: a file in it, or in segments/, is none of ours; repair the run");
        }
    }

    /// Takes the number of this record, which is not a checkpoint's.
    public void append(LogRecord entry) throws IOException {
        append(entry.number(), RecordFormat.write(entry));
    }

    /// Takes the number of this checkpoint, which exists when this returns.
    public void append(Manifest manifest) throws IOException {
        append(manifest.checkpoint().number(), RecordFormat.write(manifest));
    }

    private void append(long number, byte[] bytes) throws IOException {
        checkLeft(number);
        try {
            blobs.createIfAbsent(RunFiles.record(number), bytes);
        } catch (FileAlreadyExistsException taken) {
            throw conflict(number);
        }
    }

    /// Throws where this number, just taken, is not the highest of the log, or not there.
    ///
    /// A number whose record was removed can be taken again, by a writer that was cut off so long that it does not
    /// know: this is how it learns. And what a storage said it had created must be there.
    public void checkHighest(long number) throws IOException {
        List<Long> numbers = numbers();
        long highest = numbers.isEmpty() ? 0 : numbers.getLast();
        if (highest > number) {
            throw conflict(highest);
        }
        if (highest < number) {
            throw new StorageUnavailableException(
                    "storage unavailable: it reported %s as created, and does not have it; try again"
                            .formatted(RunFiles.record(number)));
        }
    }

    /// What to tell the writer that finds this number taken.
    CommitConflictException conflict(long number) {
        try {
            if (read(number) instanceof TakenOver taken) {
                return CommitConflictException.takenOver(SealedText.printable(taken.by()));
            }
        } catch (IOException unreadable) {
            // It is taken all the same.
        }
        return CommitConflictException.number(RunFiles.record(number));
    }
}
