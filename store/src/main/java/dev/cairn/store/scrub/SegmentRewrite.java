package dev.cairn.store.scrub;

import dev.cairn.codec.parity.Healing;
import dev.cairn.codec.parity.UnhealableException;
import dev.cairn.store.DamagedException;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.segment.SegmentHealing;
import dev.cairn.store.segment.SegmentRef;
import dev.cairn.store.segment.SegmentSource;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/// Finds damage in the file of a segment, and writes the file anew in its place, with the same bytes that it first had:
/// contents, parity and tables.
///
/// The damaged file stays until the new one is complete and durable. Then the new one gets its name, atomically. So a
/// process that dies at any point leaves one of the two, and both give the same values. A temporary file that it may
/// leave is removed by the next writer.
public final class SegmentRewrite {
    private final BlobStore blobs;
    private final SegmentRef segment;
    private final Pace pace;
    private final Healing healing;
    private final DamagedException damage;

    private SegmentRewrite(BlobStore blobs, SegmentRef segment, Pace pace, Healing healing, DamagedException damage) {
        this.blobs = blobs;
        this.segment = segment;
        this.pace = pace;
        this.healing = healing;
        this.damage = damage;
    }

    /// Reads every byte of the file from the storage, and bytes of the copy if parity alone does not heal it.
    ///
    /// @return empty if the file has no damage
    /// @throws DamagedException if it has damage that does not heal
    public static Optional<SegmentRewrite> find(SegmentSource source, SegmentRef segment, Pace pace)
            throws IOException {
        String name = segment.name();
        BlobStore blobs = source.blobs();
        try (BlobReader file = blobs.readUncached(name)) {
            long size = file.sizeBytes();
            Healing healing = SegmentHealing.find(segment, bytes(file, size, pace), source.spares());
            if (size != segment.sizeBytes()) {
                return Optional.of(new SegmentRewrite(blobs, segment, pace, healing, wrongSize(segment, size)));
            }
            return healing.isNeeded()
                    ? Optional.of(new SegmentRewrite(
                            blobs, segment, pace, healing, new DamagedException(name, what(healing))))
                    : Optional.empty();
        } catch (NoSuchFileException missing) {
            throw new DamagedException(name, "file is missing: expected bytes=" + segment.sizeBytes());
        } catch (EOFException truncated) {
            throw new DamagedException(name, "it became shorter while it was read");
        } catch (IOException e) {
            throw StorageUnavailableException.reading(name, e);
        }
    }

    private static DamagedException wrongSize(SegmentRef segment, long size) {
        return new DamagedException(
                segment.name(), "size: expected bytes=%d, actual bytes=%d".formatted(segment.sizeBytes(), size));
    }

    private static String what(Healing healing) {
        return healing.healedBytes() == 0
                ? "parity"
                : "%d bytes at offset %d".formatted(healing.healedBytes(), healing.firstOffset());
    }

    private static Healing.Source<IOException> bytes(BlobReader file, long size, Pace pace) {
        return (offset, target, length) -> {
            int there = Math.clamp(size - offset, 0, length);
            if (there > 0) {
                pace.before(there);
                file.read(offset, MemorySegment.ofArray(target).asSlice(0, there));
            }
            return there;
        };
    }

    /// What is damaged.
    public DamagedException damage() {
        return damage;
    }

    /// What its bytes were computed or read from.
    public String source() {
        return SegmentHealing.source(healing);
    }

    /// Writes the file anew and puts it in its place, unless its checkpoint was removed in the meantime.
    ///
    /// @return whether the run still had the file
    public boolean run(CheckpointWriter writer) throws IOException {
        String name = segment.name();
        try (BlobReader file = blobs.readUncached(name);
                BlobWriter anew = blobs.replace(name)) {
            healing.write(
                    bytes(file, file.sizeBytes(), pace),
                    (bytes, from, length) ->
                            anew.append(MemorySegment.ofArray(bytes).asSlice(from, length)));
            return writer.putInPlace(name, anew);
        } catch (UnhealableException e) {
            throw new DamagedException(name, "parity does not heal it: " + e.getMessage());
        } catch (NoSuchFileException removed) {
            return false;
        }
    }
}
