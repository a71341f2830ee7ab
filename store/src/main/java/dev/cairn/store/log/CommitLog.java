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

/// The numbered log of a run. A writer takes a number by creating its record, which must not exist yet. No number is
/// taken twice.
public final class CommitLog {
    private static final long LARGEST_RECORD = 256 << 20;

    /// Fifteen digits: more than any run needs.
    private static final long LAST_NUMBER = 999_999_999_999_999L;

    private final BlobStore blobs;
    /// The records read from remote storage. A record does not change while its number is taken. A writer that lost
    /// contact may take a removed number again, but neither its old nor its new record has a meaning.
    private final Map<Long, LogRecord> known = new ConcurrentHashMap<>();

    /// Opens the log in this storage.
    public CommitLog(BlobStore blobs) {
        this.blobs = blobs;
    }

    /// The numbers that are taken, in ascending order.
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

    /// Reads a record. A checkpoint is read without its tensors.
    public LogRecord read(long number) throws IOException {
        String name = checkedName(number);
        return SecondLook.at(() -> RecordFormat.read(name, number, bytes(name)));
    }

    /// Reads the full description of a checkpoint.
    ///
    /// @throws DamagedException if the number does not belong to a checkpoint, or no longer does
    public Manifest manifest(long number) throws IOException {
        String name = checkedName(number);
        return SecondLook.at(() -> RecordFormat.manifest(name, number, bytes(name)));
    }

    private static String checkedName(long number) throws DamagedException {
        String name = RunFiles.record(number);
        if (number == LAST_NUMBER) {
            throw new DamagedException(
                    name, "it has the last possible number, so Cairn did not write it; repair the run");
        }
        return name;
    }

    private byte[] bytes(String name) throws IOException {
        try {
            return blobs.readAll(name, LARGEST_RECORD);
        } catch (NoSuchFileException removed) {
            throw new DamagedException(name, "file is missing, but its segments exist");
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends inside the record");
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
    }

    /// Returns a record as it was when it was first read, if the storage is remote.
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

    /// Drops the cached records of all other numbers.
    void remember(List<Long> numbers) {
        known.keySet().retainAll(Set.copyOf(numbers));
    }

    /// Whether each read of a record has the latency of remote storage.
    boolean isRemote() {
        return blobs.isRemote();
    }

    /// Throws if no record can have this number.
    public static void checkLeft(long number) throws DamagedException {
        if (number >= LAST_NUMBER) {
            throw new DamagedException(
                    RunFiles.LOG, "no number is left: a file in it, or in segments/, is not Cairn's; repair the run");
        }
    }

    /// Takes the number of this record, which is not a checkpoint.
    public void append(LogRecord entry) throws IOException {
        append(entry.number(), RecordFormat.write(entry));
    }

    /// Takes the number of this checkpoint. The checkpoint exists when this returns.
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

    /// Throws if this number, which was just taken, is not the highest in the log or does not exist.
    ///
    /// A number whose record was removed can be taken again by a writer that lost contact for a long time. This
    /// check tells that writer. It also checks that a record which the storage reported as created does exist.
    public void checkHighest(long number) throws IOException {
        List<Long> numbers = numbers();
        long highest = numbers.isEmpty() ? 0 : numbers.getLast();
        if (highest > number) {
            throw conflict(highest);
        }
        if (highest < number) {
            throw new StorageUnavailableException(
                    "storage unavailable: it reported %s as created, but does not have it; try again"
                            .formatted(RunFiles.record(number)));
        }
    }

    /// The exception for a writer that finds this number taken.
    CommitConflictException conflict(long number) {
        try {
            if (read(number) instanceof TakenOver taken) {
                return CommitConflictException.takenOver(SealedText.printable(taken.by()));
            }
        } catch (IOException unreadable) {
            // The number is taken even if its record cannot be read.
        }
        return CommitConflictException.number(RunFiles.record(number));
    }
}
