package dev.cairn.store.log;

import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.blob.SecondLook;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The two places of each record: the record itself, and its twin, a second file with the same bytes. Creating the
/// record commits it. The twin follows later, so a twin proves that its record was committed, and never decides it.
///
/// A reader looks at the twin only if the record is damaged or missing.
final class RecordPlaces {
    static final long LARGEST_RECORD = 256 << 20;
    private static final int MOST_ATTEMPTS = 3;
    private static final String MISSING = "file is missing";

    private final BlobStore blobs;

    RecordPlaces(BlobStore blobs) {
        this.blobs = blobs;
    }

    /// The numbers in the log, from one listing.
    ///
    /// @param numbers those that are taken, in ascending order
    /// @param records those whose record is there
    /// @param twins those whose twin is there
    record Listing(List<Long> numbers, Set<Long> records, Set<Long> twins) {}

    Listing list() throws IOException {
        var records = new TreeSet<Long>();
        var twins = new TreeSet<Long>();
        for (String name : blobs.list(RunFiles.LOG)) {
            long record = RunFiles.recordNumber(name);
            long twin = RunFiles.twinNumber(name);
            if (record >= 0) {
                records.add(record);
            } else if (twin >= 0) {
                twins.add(twin);
            }
        }
        var numbers = new TreeSet<>(records);
        numbers.addAll(twins);
        return new Listing(List.copyOf(numbers), records, twins);
    }

    /// Decodes the bytes of a record, and throws if they are not those of a record.
    interface Decoder<T> {
        T decode(String file, byte[] bytes) throws StoreException;
    }

    /// What was read.
    ///
    /// @param damage what is wrong with the record, if its twin was read instead
    record Found<T>(T content, @Nullable DamagedException damage) {}

    /// Reads a record from the first of its places that is intact. What seems damaged is read once more.
    ///
    /// @throws DamagedException if both places are damaged or missing
    <T> Found<T> read(long number, Decoder<T> decoder) throws IOException {
        try {
            return new Found<>(readAt(RunFiles.record(number), decoder), null);
        } catch (DamagedException damaged) {
            try {
                return new Found<>(readAt(RunFiles.twin(number), decoder), damaged);
            } catch (DamagedException twin) {
                throw isMissing(twin)
                        ? damaged
                        : new DamagedException(damaged.file(), damaged.reason() + "; its twin: " + twin.reason());
            }
        }
    }

    private <T> T readAt(String file, Decoder<T> decoder) throws IOException {
        return SecondLook.at(() -> decoder.decode(file, bytes(file)));
    }

    /// Reads one place as the storage has it, past caches of the system.
    ///
    /// @throws NoSuchFileException if it is not there
    <T> T readUncached(String file, CommitLog.Sized sized, Decoder<T> decoder) throws IOException {
        return SecondLook.at(() -> {
            try (BlobReader blob = blobs.readUncached(file)) {
                long size = blob.sizeBytes();
                if (size > LARGEST_RECORD) {
                    throw new DamagedException(file, "implausible size: bytes=" + size);
                }
                byte[] bytes = new byte[(int) size];
                sized.before(bytes.length);
                blob.read(0, MemorySegment.ofArray(bytes));
                return decoder.decode(file, bytes);
            } catch (EOFException truncated) {
                throw new DamagedException(file, "file ends inside the record");
            }
        });
    }

    private byte[] bytes(String file) throws IOException {
        try {
            return blobs.readAll(file, LARGEST_RECORD);
        } catch (NoSuchFileException missing) {
            throw new DamagedException(file, MISSING);
        } catch (EOFException truncated) {
            throw new DamagedException(file, "file ends inside the record");
        } catch (IOException e) {
            throw StorageUnavailableException.reading(file, e);
        }
    }

    private static boolean isMissing(DamagedException damage) {
        return damage.reason().equals(MISSING);
    }

    /// Stores the twin of a record that was committed. Does nothing if it is there, or if the record was removed.
    ///
    /// @throws DamagedException if the record is damaged
    void createTwin(long number) throws IOException {
        Place record = look(RunFiles.record(number), number);
        if (!record.isThere()) {
            return;
        }
        if (record.damage != null) {
            throw record.damage;
        }
        try {
            blobs.createIfAbsent(RunFiles.twin(number), record.bytes);
        } catch (FileAlreadyExistsException there) {
            return;
        }
    }

    /// Rewrites the place that is damaged or missing with the bytes of the other one. If both are intact and differ,
    /// the twin is right: a writer that had lost the run found the record missing and took its number. If only the
    /// record has its segments, the record is right.
    ///
    /// Until the new file is durable, the intact place is not touched, so nothing is lost if this is interrupted.
    /// Both places are read past the cache, which may have what the disk has lost.
    ///
    /// @return what was wrong with the place that was rewritten; empty if nothing was, or if both places are lost
    Optional<DamagedException> heal(long number) throws IOException {
        Place record = lookUncached(RunFiles.record(number), number);
        Place twin = lookUncached(RunFiles.twin(number), number);
        DamagedException difference = difference(record, twin, number);
        if (difference != null && difference.file().equals(twin.file)) {
            rewrite(twin, record.bytes, number);
            return Optional.of(difference);
        }
        if (twin.damage == null) {
            DamagedException damage = record.damage == null ? difference : record.damage;
            if (damage != null) {
                rewrite(record, twin.bytes, number);
            }
            return Optional.ofNullable(damage);
        }
        if (record.damage != null) {
            return Optional.empty();
        }
        rewrite(twin, record.bytes, number);
        return isMissing(twin.damage) ? Optional.empty() : Optional.of(twin.damage);
    }

    /// What is wrong with the twin of an intact record; empty if nothing is, or if one of both is not there.
    Optional<DamagedException> twinDamage(long number) throws IOException {
        Place twin = look(RunFiles.twin(number), number);
        Place record = look(RunFiles.record(number), number);
        if (!twin.isThere() || record.damage != null) {
            return Optional.empty();
        }
        return Optional.ofNullable(twin.damage == null ? difference(record, twin, number) : twin.damage);
    }

    /// Says which of two places is wrong if both are intact and differ; null if not. Mostly it is the record, see
    /// [#heal]. It is the twin if its segments are missing and those of the record are there: then it is of another
    /// run, such as one that was copied from this one.
    private @Nullable DamagedException difference(Place record, Place twin, long number) throws IOException {
        if (record.damage != null || twin.damage != null || Arrays.equals(record.bytes, twin.bytes)) {
            return null;
        }
        Set<String> there = Set.copyOf(blobs.list(RunFiles.SEGMENTS));
        if (!there.containsAll(segments(twin, number)) && there.containsAll(segments(record, number))) {
            return new DamagedException(twin.file, "it differs from its record, and its segments are missing");
        }
        return new DamagedException(record.file, "it differs from its twin, which was committed");
    }

    private static List<String> segments(Place place, long number) throws StoreException {
        return RecordFormat.read(place.file, number, place.bytes) instanceof LogRecord.Commit checkpoint
                ? checkpoint.segmentNames()
                : List.of();
    }

    /// One place of a record, and the bytes there: none if it is damaged.
    private static final class Place {
        final String file;
        final byte[] bytes;
        final @Nullable DamagedException damage;

        Place(String file, byte[] bytes, @Nullable DamagedException damage) {
            this.file = file;
            this.bytes = bytes;
            this.damage = damage;
        }

        boolean isThere() {
            return damage == null || !isMissing(damage);
        }
    }

    private Place look(String file, long number) throws IOException {
        try {
            return new Place(file, readAt(file, (_, bytes) -> checked(file, number, bytes)), null);
        } catch (DamagedException damage) {
            return new Place(file, new byte[0], damage);
        }
    }

    private Place lookUncached(String file, long number) throws IOException {
        try {
            return new Place(file, readUncached(file, _ -> {}, (_, bytes) -> checked(file, number, bytes)), null);
        } catch (NoSuchFileException missing) {
            return new Place(file, new byte[0], new DamagedException(file, MISSING));
        } catch (DamagedException damage) {
            return new Place(file, new byte[0], damage);
        } catch (StoreException newer) {
            throw newer;
        } catch (IOException e) {
            throw StorageUnavailableException.reading(file, e);
        }
    }

    private static byte[] checked(String file, long number, byte[] bytes) throws StoreException {
        RecordFormat.read(file, number, bytes);
        return bytes;
    }

    /// A blob is never changed, so a damaged one is removed and created again.
    private void rewrite(Place place, byte[] bytes, long number) throws IOException {
        boolean there = place.isThere();
        for (int attempt = 1; ; attempt++) {
            if (there) {
                blobs.delete(place.file);
            }
            try {
                blobs.createIfAbsent(place.file, bytes);
                return;
            } catch (FileAlreadyExistsException e) {
                if (Arrays.equals(look(place.file, number).bytes, bytes)) {
                    return;
                }
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                there = true;
            }
        }
    }
}
