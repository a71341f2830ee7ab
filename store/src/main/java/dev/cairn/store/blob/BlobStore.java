package dev.cairn.store.blob;

import dev.cairn.store.DamagedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Named blobs: all that Cairn asks of storage, and nothing that an object store cannot do.
///
/// Names are relative, with `/` between parts of `[A-Za-z0-9._-]`; anything else is refused. A blob is never changed
/// once it is whole. Laws, checked by `BlobStoreContract`:
///
/// 1. [#createIfAbsent] is atomic: of two callers with one name exactly one succeeds, the other gets
///    `FileAlreadyExistsException`, and a reader sees all the bytes or no blob.
/// 2. What a returned [#createIfAbsent] or [BlobWriter#finish] wrote survives a power cut.
/// 3. A [BlobWriter] that is closed without finishing leaves no blob; one whose process dies may leave a torn blob
///    under its name, so nobody trusts a blob that no record names.
public interface BlobStore {
    /// Creates the blob with these bytes, durably, or throws `FileAlreadyExistsException`.
    void createIfAbsent(String name, byte[] content) throws IOException;

    /// Starts a new blob; `FileAlreadyExistsException` where one of that name exists.
    BlobWriter write(String name) throws IOException;

    /// Opens a blob for reading; `NoSuchFileException` where there is none.
    BlobReader read(String name) throws IOException;

    /// All bytes of a blob; `NoSuchFileException` where there is none.
    ///
    /// @param most how many it may have: a [DamagedException] where it has more
    default byte[] readAll(String name, long most) throws IOException {
        try (BlobReader blob = read(name)) {
            byte[] bytes = new byte[checkedSize(name, blob.sizeBytes(), most)];
            blob.read(0, MemorySegment.ofArray(bytes));
            return bytes;
        }
    }

    /// A size that an array may have.
    private static int checkedSize(String name, long bytes, long most) throws DamagedException {
        if (bytes > Math.min(most, Integer.MAX_VALUE - 64)) {
            throw new DamagedException(name, "absurd size: bytes=" + bytes);
        }
        return (int) bytes;
    }

    /// The names that start with this folder (ending in `/`), in no order; empty where there are none.
    List<String> list(String folder) throws IOException;

    /// The sizes of the blobs that start with this folder, by name; of those that can be told.
    default Map<String, Long> sizes(String folder) throws IOException {
        var sizes = new HashMap<String, Long>();
        for (String name : list(folder)) {
            try (BlobReader blob = read(name)) {
                sizes.put(name, blob.sizeBytes());
            } catch (NoSuchFileException deletedMeanwhile) {
                sizes.remove(name);
            }
        }
        return sizes;
    }

    /// Every name there is, at any depth, in no order; also those that no blob of ours could have.
    List<String> listAll() throws IOException;

    /// Removes the blob; nothing happens where there is none.
    void delete(String name) throws IOException;

    /// Makes another blob of the same bytes, durably, without changing the first; `FileAlreadyExistsException` where
    /// one of that name exists.
    default void copy(String name, String copy) throws IOException {
        try (BlobReader from = read(name);
                BlobWriter to = write(copy)) {
            MemorySegment buffer = MemorySegment.ofArray(new byte[1 << 20]);
            for (long offset = 0; offset < from.sizeBytes(); offset += buffer.byteSize()) {
                MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), from.sizeBytes() - offset));
                from.read(offset, part);
                to.append(part);
            }
            to.finish();
        }
    }

    /// Gives a whole blob another name, durably; `FileAlreadyExistsException` where that one is taken. A reader finds
    /// it under one of the two names at any time, and after a power cut perhaps under both.
    default void rename(String name, String to) throws IOException {
        copy(name, to);
        delete(name);
    }

    /// Which storage this is: the same for all who share it, another for a copy of it, even where all blobs are the
    /// same. Empty where that cannot be told.
    default String place() throws IOException {
        return "";
    }

    /// Whether operations are requests over a network: each takes its time, and one that failed may still be on its
    /// way, and take effect after the failure was reported.
    default boolean isRemote() {
        return false;
    }

    /// How many bytes can still be written; `Long.MAX_VALUE` where storage sets no limit.
    long usableBytes() throws IOException;

    /// What somebody who was creating a blob in this folder, and may have died of it, has there now, under names
    /// that no blob has.
    default List<String> temporaries(String folder) throws IOException {
        return List.of();
    }

    /// Removes one of [#temporaries]. Only the run's one writer may call it.
    default void deleteTemporary(String name) throws IOException {
        throw new IllegalArgumentException("not a temporary file: '" + name + "'");
    }

    /// Appends to one blob. One thread at a time.
    interface BlobWriter extends AutoCloseable {
        /// Adds these bytes at the end.
        void append(MemorySegment bytes) throws IOException;

        /// Has what was appended so far reach the storage, so that finishing has less left to do. Promises nothing.
        default void flush() throws IOException {}

        /// Makes the blob whole and durable.
        void finish() throws IOException;

        /// Drops the blob unless it was finished.
        @Override
        void close() throws IOException;
    }

    /// Reads ranges of one blob; safe for several threads.
    interface BlobReader extends AutoCloseable {
        /// All bytes of the blob.
        long sizeBytes() throws IOException;

        /// Fills the target from this offset, or throws `EOFException` where the blob ends before.
        void read(long offset, MemorySegment target) throws IOException;

        @Override
        void close() throws IOException;
    }
}
