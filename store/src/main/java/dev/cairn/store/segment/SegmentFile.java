package dev.cairn.store.segment;

import dev.cairn.codec.parity.Healing;
import dev.cairn.store.DamagedException;
import dev.cairn.store.HealedDamage;
import dev.cairn.store.NewerFormatException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.StoreException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.SecondLook;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The contents of a segment's file. Bytes that do not pass their check are read once more through a new reader, which
/// is independent of earlier reads. If they are damaged on the storage, the parity of the file gives the bytes that
/// were written. What parity cannot heal is read from a copy of the run, if there is one. The file may be replaced at
/// any time by one with the bytes that it first had. Thread-safe.
final class SegmentFile implements AutoCloseable {
    /// A file is read to its end only so many times.
    private static final int MOST_ROUNDS = 8;

    private final SegmentSource source;
    private final SegmentRef segment;
    private final BlobReader blob;
    private final long sizeBytes;
    private volatile @Nullable Healed healed;
    private @Nullable String unhealable;
    private int rounds;

    /// A file that was read to its end, with what heals it. Both belong together: a file that replaced this one is
    /// damaged in other places.
    private record Healed(
            int round,
            BlobReader blob,
            Healing healing,
            @Nullable Healed before) {}

    /// Decides whether bytes are those that were written.
    interface Check {
        /// Throws if they are not.
        void accept(MemorySegment bytes) throws StoreException;
    }

    private SegmentFile(SegmentSource source, SegmentRef segment, BlobReader blob) throws IOException {
        this.source = source;
        this.segment = segment;
        this.blob = blob;
        this.sizeBytes = size(blob);
    }

    /// Opens the file. A file of the wrong size is healed at once, if it can be.
    static SegmentFile open(SegmentSource source, SegmentRef segment) throws IOException {
        SegmentFile file = SecondLook.at(() -> openOnce(source, segment));
        if (file.sizeBytes == segment.sizeBytes()) {
            return file;
        }
        file.close();
        SegmentFile again = openOnce(source, segment);
        try {
            if (again.sizeBytes != segment.sizeBytes()) {
                again.heal(again.wrongSize(), 0);
            }
            return again;
        } catch (IOException | RuntimeException e) {
            again.close();
            throw e;
        }
    }

    private static SegmentFile openOnce(SegmentSource source, SegmentRef segment) throws IOException {
        BlobReader blob = openBlob(source.blobs(), segment);
        try {
            return new SegmentFile(source, segment, blob);
        } catch (IOException | RuntimeException e) {
            blob.close();
            throw e;
        }
    }

    private static BlobReader openBlob(BlobStore blobs, SegmentRef segment) throws IOException {
        try {
            return blobs.read(segment.name());
        } catch (IOException e) {
            throw unreadable(segment, e);
        }
    }

    private long size(BlobReader from) throws IOException {
        try {
            return from.sizeBytes();
        } catch (IOException e) {
            throw unreadable(segment, e);
        }
    }

    private static IOException unreadable(SegmentRef segment, IOException e) {
        return e instanceof NoSuchFileException
                ? new DamagedException(segment.name(), "file is missing: expected bytes=" + segment.sizeBytes())
                : StorageUnavailableException.reading(segment.name(), e);
    }

    private DamagedException wrongSize() {
        return new DamagedException(
                segment.name(), "size: expected bytes=%d, actual bytes=%d".formatted(segment.sizeBytes(), sizeBytes));
    }

    /// Fills the bytes, which must be a part of a byte array, with contents that pass the check.
    void read(long offset, MemorySegment bytes, Check check) throws IOException {
        Healed known = healed;
        try {
            attempt(known, offset, bytes, check);
        } catch (DamagedException | NewerFormatException first) {
            try {
                try (BlobReader anew = openBlob(source.blobs(), segment)) {
                    readRaw(anew, offset, bytes);
                    check.accept(bytes);
                }
            } catch (DamagedException damaged) {
                attempt(heal(damaged, known == null ? 0 : known.round()), offset, bytes, check);
            }
        }
    }

    private void attempt(@Nullable Healed known, long offset, MemorySegment bytes, Check check) throws IOException {
        if (known == null) {
            readRaw(blob, offset, bytes);
        } else {
            byte[] patched = new byte[Math.toIntExact(bytes.byteSize())];
            known.healing().read(bytes(known.blob()), offset, patched, patched.length);
            MemorySegment.copy(patched, 0, bytes, ValueLayout.JAVA_BYTE, 0, patched.length);
        }
        check.accept(bytes);
    }

    private void readRaw(BlobReader from, long offset, MemorySegment bytes) throws IOException {
        try {
            from.read(offset, bytes);
        } catch (EOFException truncated) {
            throw new DamagedException(segment.name(), "file ends after offset " + offset);
        } catch (IOException e) {
            throw unreadable(segment, e);
        }
    }

    /// Finds all damage of the file as it is now.
    ///
    /// @param damage what was noticed first
    /// @param tried the number of the result that did not help; 0 if there was none
    /// @throws DamagedException if neither parity nor a copy can heal it
    private synchronized Healed heal(DamagedException damage, int tried) throws IOException {
        Healed newest = healed;
        if (newest != null && newest.round() > tried) {
            return newest;
        }
        if (unhealable == null) {
            BlobReader anew = openBlob(source.blobs(), segment);
            try {
                if (++rounds > MOST_ROUNDS) {
                    throw new DamagedException(segment.name(), "it was damaged again and again while it was read");
                }
                Healing healing = SegmentHealing.find(segment, bytes(anew), source.spares());
                newest = new Healed(rounds, anew, healing, newest);
                healed = newest;
                return newest;
            } catch (IOException | RuntimeException e) {
                anew.close();
                if (!(e instanceof DamagedException lost)) {
                    throw e;
                }
                unhealable = lost.reason();
            }
        }
        throw new DamagedException(segment.name(), damage.reason() + "; " + unhealable);
    }

    private Healing.Source<IOException> bytes(BlobReader from) {
        return (offset, target, length) -> {
            int there = Math.clamp(size(from) - offset, 0, length);
            if (there > 0) {
                try {
                    from.read(offset, MemorySegment.ofArray(target).asSlice(0, there));
                } catch (IOException e) {
                    throw unreadable(segment, e);
                }
            }
            return there;
        };
    }

    /// What is damaged in the file although its contents can be read; empty if nothing was noticed.
    Optional<HealedDamage> healed() {
        Healing known = healed == null ? null : healed.healing();
        if (known == null || (sizeBytes == segment.sizeBytes() && !known.isNeeded())) {
            return Optional.empty();
        }
        return Optional.of(new HealedDamage(damage(known), SegmentHealing.source(known)));
    }

    private DamagedException damage(Healing known) {
        if (sizeBytes != segment.sizeBytes()) {
            return wrongSize();
        }
        return new DamagedException(
                segment.name(),
                known.healedBytes() == 0
                        ? "parity"
                        : "%d bytes at offset %d".formatted(known.healedBytes(), known.firstOffset()));
    }

    /// Looks for damage of the parity and its tables, which no reader of the contents notices.
    ///
    /// @throws DamagedException if the contents are damaged too, and cannot be healed
    void checkParity() throws IOException {
        if (!Healing.isParityIntact(segment.layout(), bytes(blob))) {
            heal(new DamagedException(segment.name(), "parity"), 0);
        }
    }

    String name() {
        return segment.name();
    }

    @Override
    public void close() throws IOException {
        try (blob) {
            for (Healed each = healed; each != null; each = each.before()) {
                each.blob().close();
            }
        }
    }
}
