package dev.cairn.formats.file;

/// Limits the memory that a file's description of its tensors may take: in proportion to the bytes that were read for
/// it, and to a part of the heap. A small file can describe a large one, by compression or by naming the same thing
/// many times. Such a file causes an [UnsupportedException] instead of an `OutOfMemoryError`.
///
/// Memory is counted while the description is built. The count is rough but never too low, and it never decreases.
public final class Allowance {
    /// Enough for any small file.
    private static final long AT_FIRST = 16 << 20;

    /// A tensor takes about ten times the bytes that describe it.
    private static final long FOR_EACH_BYTE = 64;

    /// The rest of the heap is for later work with the tensors.
    private static final int PART_OF_HEAP = 4;

    private final String file;
    private final long most;
    private long read;
    private long taken;

    /// The allowance of this file, limited to its share of the heap.
    public Allowance(String file) {
        this(file, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /// The allowance of this file, limited to the given number of bytes of memory.
    public Allowance(String file, long most) {
        this.file = file;
        this.most = most;
    }

    /// Counts bytes that were read from the file, as they are stored there.
    public void read(long bytes) {
        read += bytes;
    }

    /// Counts bytes of memory that the caller is about to take for what was read.
    ///
    /// @throws UnsupportedException if that is too much
    public void take(long bytes) throws UnsupportedException {
        taken += bytes;
        long justified = AT_FIRST + FOR_EACH_BYTE * read;
        if (taken > justified) {
            throw new UnsupportedException(
                    file,
                    "%,d bytes of it expand to more than %,d, which no file of tensors needs; save it again"
                            .formatted(read, justified));
        }
        if (taken > most) {
            throw new UnsupportedException(
                    file,
                    "its description of tensors takes more than %,d bytes of memory, the limit for this heap; give Java more, for example -Xmx2g"
                            .formatted(most));
        }
    }
}
