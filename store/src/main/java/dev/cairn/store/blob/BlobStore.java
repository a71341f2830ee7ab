package dev.cairn.store.blob;

import dev.cairn.store.DamagedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Named blobs: all that Cairn needs from storage. An object store can provide every operation.
///
/// Names are relative: parts of `[A-Za-z0-9._-]`, separated by `/`. Other names are refused. A complete blob is never
/// changed; [#replace] puts other bytes in its place. Laws, checked by `BlobStoreContract`:
///
/// 1. [#createIfAbsent] is atomic: of two callers with the same name exactly one succeeds, the other gets
///    `FileAlreadyExistsException`, and a reader sees all the bytes or no blob.
/// 2. Bytes written by [#createIfAbsent] or [BlobWriter#finish] survive a power cut once the call has returned.
/// 3. A [BlobWriter] that is closed without finishing leaves no blob. If its process dies, it may leave an incomplete
///    blob under its name, so no reader trusts a blob that no record names.
/// 4. [#replace] is atomic: until its writer has finished, and if it never does, readers get the old bytes, afterwards
///    the new ones. The same holds after a power cut.
public interface BlobStore {
    /// Creates the blob with these bytes, durably.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if a blob of that name exists
    void createIfAbsent(String name, byte[] content) throws IOException;

    /// Starts a new blob.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if a blob of that name exists
    BlobWriter write(String name) throws IOException;

    /// Starts bytes that take the place of those that the blob has, or create it.
    BlobWriter replace(String name) throws IOException;

    /// Opens a blob for reading.
    ///
    /// @throws java.nio.file.NoSuchFileException if there is no such blob
    BlobReader read(String name) throws IOException;

    /// Opens a blob for reading what the storage has, past the caches of this machine as far as it allows that. Slower
    /// than [#read].
    ///
    /// @throws java.nio.file.NoSuchFileException if there is no such blob
    default BlobReader readUncached(String name) throws IOException {
        return read(name);
    }

    /// Reads all bytes of a blob.
    ///
    /// @param most the maximum size
    /// @throws DamagedException if the blob is larger
    /// @throws java.nio.file.NoSuchFileException if there is no such blob
    default byte[] readAll(String name, long most) throws IOException {
        try (BlobReader blob = read(name)) {
            byte[] bytes = new byte[checkedSize(name, blob.sizeBytes(), most)];
            blob.read(0, MemorySegment.ofArray(bytes));
            return bytes;
        }
    }

    /// Returns the size if an array can have it.
    private static int checkedSize(String name, long bytes, long most) throws DamagedException {
        if (bytes > Math.min(most, Integer.MAX_VALUE - 64)) {
            throw new DamagedException(name, "implausible size: bytes=" + bytes);
        }
        return (int) bytes;
    }

    /// The names that start with this folder (ending in `/`), in no particular order; empty if there are none.
    List<String> list(String folder) throws IOException;

    /// The sizes of the blobs whose names start with this folder, by name. Blobs whose size cannot be read are left
    /// out.
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

    /// All names, at any depth, in no particular order. Includes names that Cairn never gives to a blob.
    List<String> listAll() throws IOException;

    /// Removes the blob. Does nothing if there is none.
    void delete(String name) throws IOException;

    /// Creates another blob with the same bytes, durably, without changing the first.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if a blob of that name exists
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

    /// Renames a complete blob, durably. A reader finds it under one of the two names at any time, and after a
    /// power cut perhaps under both.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if a blob of the new name exists
    default void rename(String name, String to) throws IOException {
        copy(name, to);
        delete(name);
    }

    /// The identity of this storage: the same for all who share it, but different for a copy, even if all blobs are
    /// the same. Empty if it cannot be determined.
    default String place() throws IOException {
        return "";
    }

    /// Whether operations are requests over a network. Each then has latency, and a request that failed may still
    /// be on its way and take effect after the failure was reported.
    default boolean isRemote() {
        return false;
    }

    /// The number of bytes that can still be written; `Long.MAX_VALUE` if the storage has no limit.
    long usableBytes() throws IOException;

    /// The files in this folder of processes that are creating a blob, or died while doing so. Their names are not
    /// valid for blobs.
    ///
    /// @param folder empty for the run's own folder
    default List<String> temporaries(String folder) throws IOException {
        return List.of();
    }

    /// Removes one of [#temporaries]. Only the writer of the run may call it.
    default void deleteTemporary(String name) throws IOException {
        throw new IllegalArgumentException("not a temporary file: '" + name + "'");
    }

    /// Appends to one blob. For one thread at a time.
    interface BlobWriter extends AutoCloseable {
        /// Adds these bytes at the end.
        void append(MemorySegment bytes) throws IOException;

        /// Starts to write the appended bytes to the storage, so that finishing has less to do. Gives no guarantee.
        default void flush() throws IOException {}

        /// Completes the blob and makes it durable.
        void finish() throws IOException;

        /// Discards the blob unless it was finished.
        @Override
        void close() throws IOException;
    }

    /// Reads ranges of one blob. Thread-safe.
    interface BlobReader extends AutoCloseable {
        /// The size of the blob, in bytes.
        long sizeBytes() throws IOException;

        /// Fills the target with the bytes at this offset.
        ///
        /// @throws java.io.EOFException if the blob ends before
        void read(long offset, MemorySegment target) throws IOException;

        @Override
        void close() throws IOException;
    }
}
