package dev.cairn.store;

import dev.cairn.store.LogRecord.TakenOver;
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
final class CommitLog {
    static final String FOLDER = "log/";
    private static final String END = ".rec";
    private static final int LEAST_DIGITS = 10;
    private static final int MOST_DIGITS = 15;
    private static final long LARGEST_RECORD = 256 << 20;

    /// Fifteen digits: more than any run will ever need.
    private static final long LAST_NUMBER = 999_999_999_999_999L;

    private final BlobStore blobs;
    /// What was read from remote storage. A record never changes while its number is taken; and a number that is taken
    /// again, by a writer that was cut off, means nothing before and after.
    private final Map<Long, LogRecord> known = new ConcurrentHashMap<>();

    CommitLog(BlobStore blobs) {
        this.blobs = blobs;
    }

    static String name(long number) {
        return FOLDER + digits(number) + END;
    }

    /// A number as files are named after it: at least ten digits, the same in every locale.
    static String digits(long number) {
        String digits = Long.toString(number);
        return "0".repeat(Math.max(0, LEAST_DIGITS - digits.length())) + digits;
    }

    /// The number that a part of a name is, ten to fifteen digits; −1 where it is none.
    static long parse(String name, int from, int to) {
        if (to - from < LEAST_DIGITS || to - from > MOST_DIGITS) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            char digit = name.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            number = 10 * number + (digit - '0');
        }
        return number;
    }

    /// The number of the record of this name; −1 where it is none.
    private static long numberOf(String name) {
        return name.startsWith(FOLDER) && name.endsWith(END)
                ? parse(name, FOLDER.length(), name.length() - END.length())
                : -1;
    }

    static boolean isRecord(String name) {
        return numberOf(name) >= 0;
    }

    /// The numbers taken, lowest first.
    List<Long> numbers() throws IOException {
        var numbers = new ArrayList<Long>();
        for (String name : blobs.list(FOLDER)) {
            long number = numberOf(name);
            if (number >= 0) {
                numbers.add(number);
            }
        }
        Collections.sort(numbers);
        return numbers;
    }

    /// How much of a record is read.
    enum Detail {
        /// All of it.
        WHOLE,
        /// All but the tensors, see [RecordFormat#outline].
        OUTLINE
    }

    LogRecord read(long number) throws IOException {
        return read(number, Detail.WHOLE);
    }

    LogRecord read(long number, Detail detail) throws IOException {
        String name = name(number);
        if (number == LAST_NUMBER) {
            throw new DamagedException(name, "no number is left after it, so it is none of ours; run 'cairn repair'");
        }
        return SecondLook.at(() -> read(name, number, detail));
    }

    private LogRecord read(String name, long number, Detail detail) throws IOException {
        byte[] bytes;
        try {
            bytes = blobs.readAll(name, LARGEST_RECORD);
        } catch (NoSuchFileException removed) {
            throw new DamagedException(name, "file is missing, though its segments are there");
        } catch (EOFException truncated) {
            throw new DamagedException(name, "file ends within the record");
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
        return switch (detail) {
            case WHOLE -> RecordFormat.read(name, number, bytes);
            case OUTLINE -> RecordFormat.outline(name, number, bytes, () -> read(number));
        };
    }

    /// The record as it was when it was first read, where storage is remote.
    LogRecord recall(long number, Detail detail) throws IOException {
        if (!blobs.isRemote()) {
            return read(number, detail);
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
    static void checkLeft(long number) throws DamagedException {
        if (number >= LAST_NUMBER) {
            throw new DamagedException(
                    FOLDER, "no number is left: a file in it, or in segments/, is none of ours; run 'cairn repair'");
        }
    }

    void append(LogRecord entry) throws IOException {
        checkLeft(entry.number());
        try {
            blobs.createIfAbsent(name(entry.number()), RecordFormat.write(entry));
        } catch (FileAlreadyExistsException taken) {
            throw conflict(entry.number());
        }
    }

    /// Throws where this number, just taken, is not the highest of the log, or not there.
    ///
    /// A number whose record was removed can be taken again, by a writer that was cut off so long that it does not
    /// know: this is how it learns. And what a storage said it had created must be there.
    void checkHighest(long number) throws IOException {
        List<Long> numbers = numbers();
        long highest = numbers.isEmpty() ? 0 : numbers.getLast();
        if (highest > number) {
            throw conflict(highest);
        }
        if (highest < number) {
            throw new StorageUnavailableException(
                    "storage unavailable: it reported %s as created, and does not have it; try again"
                            .formatted(name(number)));
        }
    }

    /// What to tell the writer that finds this number taken.
    CommitConflictException conflict(long number) {
        try {
            if (read(number) instanceof TakenOver taken) {
                return CommitConflictException.takenOver(taken.by());
            }
        } catch (IOException unreadable) {
            // It is taken all the same.
        }
        return CommitConflictException.number(name(number));
    }
}
