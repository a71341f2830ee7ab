package dev.cairn.store.right;

import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.RunFiles;
import dev.cairn.store.blob.SecondLook;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The numbers of a run's lease. Only numbers below the highest are removed, so the highest number never decreases. A
/// process that created a number and then sees no higher one holds the lease, and no other process does.
public final class LeaseFolder {
    private static final int LARGEST_LEASE = 64 << 10;
    private static final int MOST_LOOKS = 10;

    private final BlobStore blobs;

    /// Opens the leases in this storage.
    public LeaseFolder(BlobStore blobs) {
        this.blobs = blobs;
    }

    /// The highest number and its content. The number is 0 if there is none; the content is null if it cannot be
    /// read.
    record Seen(long number, @Nullable LeaseBlob lease) {
        boolean isNothing() {
            return number == 0;
        }

        boolean isReleased() {
            return lease != null && lease.state() == LeaseBlob.State.RELEASED;
        }

        /// Whether this lease belongs to the storage that this store was copied from.
        boolean isElsewhere(String place) {
            return lease != null
                    && !place.isEmpty()
                    && !lease.place().isEmpty()
                    && !lease.place().equals(place);
        }

        /// The holder, in words for people.
        String holder() {
            return lease == null ? "an unknown process" : lease.holder();
        }
    }

    Seen look() throws IOException {
        long number = highest();
        for (int looks = 1; number > 0; looks++) {
            try {
                return new Seen(number, read(number));
            } catch (NoSuchFileException replaced) {
                long now = highest();
                if (now == number && looks == MOST_LOOKS) {
                    return new Seen(number, null);
                }
                number = now;
            } catch (StorageUnavailableException notDamage) {
                throw notDamage;
            } catch (IOException unreadable) {
                // A live holder will create a new one soon. Without a live holder it expires like any other.
                return new Seen(number, null);
            }
        }
        return new Seen(0, null);
    }

    /// Whether a process holds a lease of the run in this place.
    boolean isHeld() throws IOException {
        Seen seen = look();
        return !seen.isNothing() && !seen.isReleased() && !seen.isElsewhere(blobs.place());
    }

    /// The highest number; 0 if there is none.
    public long highest() throws IOException {
        return numbers().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private List<Long> numbers() throws IOException {
        var numbers = new ArrayList<Long>();
        for (String name : blobs.list(RunFiles.LEASES)) {
            long number = RunFiles.leaseNumber(name);
            if (number >= 0) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    LeaseBlob read(long number) throws IOException {
        return SecondLook.at(() -> read(RunFiles.lease(number), number));
    }

    private LeaseBlob read(String name, long number) throws IOException {
        try (BlobReader blob = blobs.read(name)) {
            long size = blob.sizeBytes();
            if (size > LARGEST_LEASE) {
                throw new DamagedException(name, "implausible lease size: bytes=" + size);
            }
            byte[] bytes = new byte[(int) size];
            blob.read(0, MemorySegment.ofArray(bytes));
            return LeaseBlob.read(name, number, bytes);
        }
    }

    /// Takes this number.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if another process has taken it
    void create(LeaseBlob lease) throws IOException {
        String name = RunFiles.lease(lease.number());
        if (!RunFiles.isLease(name)) {
            throw new DamagedException(name, "no lease number is left; remove the folder " + RunFiles.LEASES);
        }
        blobs.createIfAbsent(name, lease.bytes());
    }

    /// Removes a number that is not the highest.
    void delete(long number) throws IOException {
        blobs.delete(RunFiles.lease(number));
    }

    void deleteBelow(long number) throws IOException {
        for (long each : numbers()) {
            if (each < number) {
                delete(each);
            }
        }
    }

    /// The damaged leases.
    public List<DamagedException> damaged() throws IOException {
        var damaged = new ArrayList<DamagedException>();
        for (long number : numbers()) {
            try {
                read(number);
            } catch (NoSuchFileException replaced) {
                // Its holder has just replaced it.
            } catch (DamagedException e) {
                damaged.add(e);
            } catch (EOFException truncated) {
                damaged.add(new DamagedException(RunFiles.lease(number), "file ends inside the lease"));
            } catch (IOException e) {
                throw StorageUnavailableException.reading(RunFiles.lease(number), e);
            }
        }
        return damaged;
    }
}
