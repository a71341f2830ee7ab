package dev.cairn.store;

import dev.cairn.store.BlobStore.BlobReader;
import dev.cairn.store.LogRecord.TakenOver;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The run's one numbered log. A number is taken by creating its record if absent; it is never taken twice.
final class CommitLog {
    static final String FOLDER = "log/";
    private static final Pattern NAME = Pattern.compile("log/([0-9]{10,15})\\.rec");
    private static final long LARGEST_RECORD = 256 << 20;

    /// Fifteen digits: more than any run will ever need.
    private static final long LAST_NUMBER = 999_999_999_999_999L;

    private static final int REMOTE_READS = 16;

    private final BlobStore blobs;
    /// What was read from remote storage. A record never changes while its number is taken; and a number that is taken
    /// again, by a writer that was cut off, means nothing before and after.
    private final Map<Long, LogRecord> known = new ConcurrentHashMap<>();

    CommitLog(BlobStore blobs) {
        this.blobs = blobs;
    }

    static String name(long number) {
        return FOLDER + digits(number) + ".rec";
    }

    /// A number as files are named after it: at least ten digits, the same in every locale.
    static String digits(long number) {
        return String.format(Locale.ROOT, "%010d", number);
    }

    static boolean isRecord(String name) {
        return NAME.matcher(name).matches();
    }

    /// The numbers taken, lowest first.
    List<Long> numbers() throws IOException {
        var numbers = new ArrayList<Long>();
        for (String name : blobs.list(FOLDER)) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                numbers.add(Long.parseLong(matcher.group(1)));
            }
        }
        Collections.sort(numbers);
        return numbers;
    }

    LogRecord read(long number) throws IOException {
        String name = name(number);
        if (number == LAST_NUMBER) {
            throw new DamagedException(name, "no number is left after it, so it is not one of ours; move it away");
        }
        try (BlobReader blob = blobs.read(name)) {
            long size = blob.sizeBytes();
            if (size > LARGEST_RECORD) {
                throw new DamagedException(name, "absurd record size: bytes=" + size);
            }
            byte[] bytes = new byte[(int) size];
            blob.read(0, MemorySegment.ofArray(bytes));
            return RecordFormat.read(name, number, bytes);
        } catch (NoSuchFileException removed) {
            throw new DamagedException(name, "file is missing, though its segments are there");
        } catch (StoreException | AccessDeniedException | StorageUnavailableException e) {
            throw e;
        } catch (IOException unreadable) {
            throw DamagedException.unreadable(name, unreadable);
        }
    }

    /// The record as it was when it was first read, where storage is remote.
    LogRecord recall(long number) throws IOException {
        LogRecord entry = known.get(number);
        if (entry == null) {
            entry = read(number);
            if (blobs.isRemote()) {
                known.put(number, entry);
            }
        }
        return entry;
    }

    /// Reads from remote storage, many at a time, what [#recall] will be asked for. What cannot be read is left to it.
    void recallSoon(List<Long> numbers) {
        if (!blobs.isRemote()) {
            return;
        }
        known.keySet().retainAll(Set.copyOf(numbers));
        List<Long> absent =
                numbers.stream().filter(number -> !known.containsKey(number)).toList();
        if (absent.size() < 2) {
            return;
        }
        var unavailable = new AtomicBoolean();
        try (var threads = Executors.newFixedThreadPool(Math.min(REMOTE_READS, absent.size()))) {
            for (long number : absent) {
                threads.execute(() -> {
                    try {
                        if (!unavailable.get()) {
                            known.put(number, read(number));
                        }
                    } catch (StoreException damaged) {
                        // The one who asks for it hears of it.
                    } catch (IOException e) {
                        unavailable.set(true);
                    }
                });
            }
        }
    }

    void append(LogRecord entry) throws IOException {
        String name = name(entry.number());
        if (entry.number() >= LAST_NUMBER) {
            throw new DamagedException(
                    name, "the log has no number left: a file in it has a name that none of ours has");
        }
        try {
            blobs.createIfAbsent(name, RecordFormat.write(entry));
        } catch (FileAlreadyExistsException taken) {
            throw conflict(entry.number());
        }
    }

    /// Throws where a number above this one is taken. A number whose record was removed can be taken again, by a
    /// writer that was cut off so long that it does not know: this is how it learns.
    void checkHighest(long number) throws IOException {
        long highest = numbers().stream().mapToLong(Long::longValue).max().orElse(number);
        if (highest > number) {
            throw conflict(highest);
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
