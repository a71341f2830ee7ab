package dev.cairn.store;

import dev.cairn.store.BlobStore.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The numbers of a run's lease. Only numbers below the highest are ever removed, so the highest only ever grows: who
/// created a number and then sees none above it holds the lease, and nobody else can.
final class LeaseFolder {
    static final String NAME = "lease/";
    private static final Pattern BLOB = Pattern.compile("lease/([0-9]{10,15})\\.lease");
    private static final int LARGEST_LEASE = 64 << 10;
    private static final int MOST_LOOKS = 10;

    private final BlobStore blobs;

    LeaseFolder(BlobStore blobs) {
        this.blobs = blobs;
    }

    static String name(long number) {
        return NAME + CommitLog.digits(number) + ".lease";
    }

    static boolean isLease(String name) {
        return BLOB.matcher(name).matches();
    }

    /// The highest number, 0 where there is none, and what it says; null where that cannot be read.
    record Seen(long number, @Nullable LeaseBlob lease) {
        boolean isNothing() {
            return number == 0;
        }

        boolean isReleased() {
            return lease != null && lease.state() == LeaseBlob.State.RELEASED;
        }

        /// Whether it is the lease of the storage that this store was copied from.
        boolean isElsewhere(String place) {
            return lease != null
                    && !place.isEmpty()
                    && !lease.place().isEmpty()
                    && !lease.place().equals(place);
        }

        /// Who holds it, for people.
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
                // Whoever holds it will make a new one soon; if nobody does, it runs out like any other.
                return new Seen(number, null);
            }
        }
        return new Seen(0, null);
    }

    /// Whether somebody holds a lease of the run in this place.
    boolean isHeld() throws IOException {
        Seen seen = look();
        return !seen.isNothing() && !seen.isReleased() && !seen.isElsewhere(blobs.place());
    }

    long highest() throws IOException {
        return numbers().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    private List<Long> numbers() throws IOException {
        var numbers = new ArrayList<Long>();
        for (String name : blobs.list(NAME)) {
            Matcher matcher = BLOB.matcher(name);
            if (matcher.matches()) {
                numbers.add(Long.parseLong(matcher.group(1)));
            }
        }
        return numbers;
    }

    LeaseBlob read(long number) throws IOException {
        return SecondLook.at(() -> read(name(number), number));
    }

    private LeaseBlob read(String name, long number) throws IOException {
        try (BlobReader blob = blobs.read(name)) {
            long size = blob.sizeBytes();
            if (size > LARGEST_LEASE) {
                throw new DamagedException(name, "absurd lease size: bytes=" + size);
            }
            byte[] bytes = new byte[(int) size];
            blob.read(0, MemorySegment.ofArray(bytes));
            return LeaseBlob.read(name, number, bytes);
        }
    }

    /// Takes this number, or throws `FileAlreadyExistsException`.
    void create(LeaseBlob lease) throws IOException {
        String name = name(lease.number());
        if (!isLease(name)) {
            throw new DamagedException(name, "the lease has no number left; remove the folder " + NAME);
        }
        blobs.createIfAbsent(name, lease.bytes());
    }

    /// Removes a number that is not the highest.
    void delete(long number) throws IOException {
        blobs.delete(name(number));
    }

    void deleteBelow(long number) throws IOException {
        for (long each : numbers()) {
            if (each < number) {
                delete(each);
            }
        }
    }

    /// Those that are not what was written.
    List<DamagedException> damaged() throws IOException {
        var damaged = new ArrayList<DamagedException>();
        for (long number : numbers()) {
            try {
                read(number);
            } catch (NoSuchFileException replaced) {
                // Its holder is at work.
            } catch (DamagedException e) {
                damaged.add(e);
            } catch (EOFException truncated) {
                damaged.add(new DamagedException(name(number), "file ends within the lease"));
            } catch (IOException e) {
                throw StorageUnavailableException.reading(name(number), e);
            }
        }
        return damaged;
    }
}
