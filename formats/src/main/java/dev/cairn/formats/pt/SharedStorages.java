package dev.cairn.formats.pt;

import dev.cairn.formats.file.UnsupportedException;
import dev.cairn.formats.zip.ZipEntry;
import java.util.HashSet;
import java.util.Set;

/// Computes the cost of reading tensors that share storages. Tied weights and views are normal. A storage that is read
/// a thousand times is an attack on disk and time.
final class SharedStorages {
    private static final long TIMES = 64;
    private static final long ALWAYS_BYTES = 64 << 20;

    private final String file;
    private final Set<ZipEntry> storages = new HashSet<>();
    private long storedBytes;
    private long readBytes;
    private long inflated;

    /// The compressed storage that is being read.
    private long inflating = -1;

    SharedStorages(String file) {
        this.file = file;
    }

    /// Adds the next tensor. Going back in a compressed storage inflates it again from its beginning.
    void add(ZipEntry storage, long offset, long sizeBytes) {
        if (storages.add(storage)) {
            storedBytes = saturated(storedBytes, storage.sizeBytes());
        }
        if (sizeBytes == 0) {
            return;
        }
        if (!storage.deflated()) {
            readBytes = saturated(readBytes, sizeBytes);
            return;
        }
        if (inflating != storage.dataOffset() || inflated > offset) {
            inflated = 0;
        }
        inflating = storage.dataOffset();
        readBytes = saturated(readBytes, offset + sizeBytes - inflated);
        inflated = offset + sizeBytes;
    }

    private static long saturated(long sum, long more) {
        return sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more;
    }

    void check() throws UnsupportedException {
        if (readBytes - ALWAYS_BYTES > 0 && (readBytes - ALWAYS_BYTES) / TIMES > storedBytes) {
            throw new UnsupportedException(
                    file,
                    "its tensors share storages of %,d bytes, and reading them all takes %,d, more than %d times as many; save each with .clone()"
                            .formatted(storedBytes, readBytes, TIMES));
        }
    }
}
