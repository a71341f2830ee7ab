package dev.cairn.formats.zip;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.FormatException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32;

/// The content of an entry of a zip file, read by ranges. If it is read in order from beginning to end, its checksum is
/// compared at the end.
public abstract class ZipContent {
    private final Input input;
    private final ZipEntry entry;
    private CRC32 crc = new CRC32();
    private long summed;

    ZipContent(Input input, ZipEntry entry) {
        this.input = input;
        this.entry = entry;
    }

    public static ZipContent of(Input input, ZipEntry entry) {
        return entry.deflated() ? new DeflatedContent(input, entry) : new StoredContent(input, entry);
    }

    /// Reads a whole entry.
    ///
    /// @param most maximum size of the entry, in bytes
    public static byte[] readAll(Input input, ZipEntry entry, int most, Allowance allowance) throws IOException {
        if (entry.sizeBytes() > most) {
            throw new UnsupportedException(
                    input.name(),
                    "entry %s has %,d bytes; the maximum is %,d"
                            .formatted(FormatException.printable(entry.name()), entry.sizeBytes(), most));
        }
        allowance.read(entry.compressedBytes());
        allowance.take(entry.sizeBytes());
        byte[] bytes = new byte[(int) entry.sizeBytes()];
        ZipContent content = of(input, entry);
        try {
            content.read(0, MemorySegment.ofArray(bytes));
        } finally {
            content.release();
        }
        return bytes;
    }

    final long sizeBytes() {
        return entry.sizeBytes();
    }

    public final void read(long offset, MemorySegment target) throws IOException {
        if (offset < 0 || offset > entry.sizeBytes() - target.byteSize()) {
            throw damaged("ends at %d, before the end of its content".formatted(entry.sizeBytes()));
        }
        fill(offset, target);
    }

    abstract void fill(long offset, MemorySegment target) throws IOException;

    /// Releases everything but the input. The content can be read again.
    public abstract void release();

    /// Adds bytes to the checksum if they follow the bytes that were added last.
    final void sum(long offset, MemorySegment bytes) throws DamagedFileException {
        if (offset == 0) {
            crc = new CRC32();
            summed = 0;
        }
        if (offset != summed) {
            return;
        }
        for (long at = 0; at < bytes.byteSize(); at += 1 << 30) {
            crc.update(
                    bytes.asSlice(at, Math.min(1 << 30, bytes.byteSize() - at)).asByteBuffer());
        }
        summed += bytes.byteSize();
        if (summed == entry.sizeBytes() && (int) crc.getValue() != entry.crc()) {
            throw damaged("expected crc32=%08x, actual crc32=%08x".formatted(entry.crc(), crc.getValue()));
        }
    }

    public final DamagedFileException damaged(String problem) {
        return new DamagedFileException(
                input.name(), "entry " + FormatException.printable(entry.name()) + ": " + problem);
    }
}
