package dev.cairn.store.log;

import dev.cairn.store.CommitConflictException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.log.LogRecord.TakenOver;
import dev.cairn.store.log.RecordPlaces.Found;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The numbered log of a run. A writer takes a number by creating its record, which must not exist yet. No number is
/// taken twice, and a number whose record is lost stays taken while its twin exists.
public final class CommitLog {
    /// Fifteen digits: more than any run needs.
    private static final long LAST_NUMBER = 999_999_999_999_999L;

    private final BlobStore blobs;
    private final RecordPlaces places;
    /// The records read from remote storage. A record does not change while its number is taken. A writer that lost
    /// contact may take a removed number again, but neither its old nor its new record has a meaning.
    private final Map<Long, Found<LogRecord>> known = new ConcurrentHashMap<>();

    /// Opens the log in this storage.
    public CommitLog(BlobStore blobs) {
        this.blobs = blobs;
        this.places = new RecordPlaces(blobs);
    }

    /// The numbers that are taken, and which of them have twins.
    RecordPlaces.Listing list() throws IOException {
        return places.list();
    }

    /// The numbers that are taken, in ascending order.
    public List<Long> numbers() throws IOException {
        return list().numbers();
    }

    /// Reads a record. A checkpoint is read without its tensors.
    public LogRecord read(long number) throws IOException {
        return find(number).content();
    }

    private Found<LogRecord> find(long number) throws IOException {
        checkNumber(number);
        return places.read(number, (file, bytes) -> RecordFormat.read(file, number, bytes));
    }

    /// Called with the size of a record before it is read.
    public interface Sized {
        /// May wait, or throw so that the record is not read.
        void before(int bytes) throws IOException;
    }

    /// Checks one place of a record as the storage has it, past caches of the system.
    ///
    /// @param file the record or its twin
    /// @throws NoSuchFileException if it is not there
    /// @throws DamagedException if it is damaged
    public void checkUncached(String file, long number, Sized sized) throws IOException {
        checkNumber(number);
        places.readUncached(file, sized, (_, bytes) -> RecordFormat.read(file, number, bytes));
    }

    /// Reads the full description of a checkpoint.
    ///
    /// @throws DamagedException if the number does not belong to a checkpoint, or no longer does
    public Manifest manifest(long number) throws IOException {
        checkNumber(number);
        return places.read(number, (file, bytes) -> RecordFormat.manifest(file, number, bytes))
                .content();
    }

    private static void checkNumber(long number) throws DamagedException {
        if (number == LAST_NUMBER) {
            throw new DamagedException(
                    RunFiles.record(number),
                    "it has the last possible number, so Cairn did not write it; repair the run");
        }
    }

    /// Returns a record as it was when it was first read, if the storage is remote.
    Found<LogRecord> recall(long number) throws IOException {
        if (!blobs.isRemote()) {
            return find(number);
        }
        Found<LogRecord> entry = known.get(number);
        if (entry == null) {
            entry = find(number);
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
    /// If the number already has a twin, another record was committed under it and lost. That record is put back.
    public void checkHighest(long number) throws IOException {
        RecordPlaces.Listing listing = list();
        long highest = listing.numbers().isEmpty() ? 0 : listing.numbers().getLast();
        if (highest > number) {
            throw conflict(highest);
        }
        if (listing.twins().contains(number)) {
            heal(number);
            throw conflict(number);
        }
        if (highest < number) {
            throw new StorageUnavailableException(
                    "storage unavailable: it reported %s as created, but does not have it; try again"
                            .formatted(RunFiles.record(number)));
        }
    }

    /// Stores the twin of a record that was committed. Does nothing if it is there, or if the record was removed.
    ///
    /// @throws DamagedException if the record is damaged
    void createTwin(long number) throws IOException {
        places.createTwin(number);
    }

    /// What is wrong with the twin of an intact record, or with the record if both differ; empty if nothing is.
    public Optional<DamagedException> twinDamage(long number) throws IOException {
        return places.twinDamage(number);
    }

    /// Rewrites a record or its twin if it is damaged or missing, with the bytes of the other one.
    ///
    /// @return what was damaged; empty if nothing was, or if both are lost
    Optional<DamagedException> heal(long number) throws IOException {
        known.remove(number);
        return places.heal(number);
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
