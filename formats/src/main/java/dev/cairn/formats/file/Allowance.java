package dev.cairn.formats.file;

/// How much memory what a file says of its tensors may take: in proportion to the bytes that were read to learn it, and
/// never more than a part of the heap. So a small file that describes a large one, by compression or by naming the same
/// thing over and over, ends in an error before it ends in one of memory.
///
/// What is taken is counted as it is built, roughly but never too low, and never given back.
public final class Allowance {
    /// For whatever is small.
    private static final long AT_FIRST = 16 << 20;

    /// A tensor takes some ten times the bytes that describe it.
    private static final long FOR_EACH_BYTE = 64;

    /// The rest is for what becomes of the tensors later.
    private static final int PART_OF_HEAP = 4;

    private final String file;
    private final long most;
    private long read;
    private long taken;

    /// For this file, within its share of the heap.
    public Allowance(String file) {
        this(file, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    }

    /// For this file, within so many bytes of memory.
    public Allowance(String file, long most) {
        this.file = file;
        this.most = most;
    }

    /// So many bytes of the file are read, as they are stored there.
    public void read(long bytes) {
        read += bytes;
    }

    /// So many bytes of memory are about to be taken for what was read.
    ///
    /// @throws UnsupportedException where that is too much
    public void take(long bytes) throws UnsupportedException {
        taken += bytes;
        long justified = AT_FIRST + FOR_EACH_BYTE * read;
        if (taken > justified) {
            throw new UnsupportedException(
                    file,
                    "%,d bytes of it expand to more than %,d, which no file of tensors needs; save it anew"
                            .formatted(read, justified));
        }
        if (taken > most) {
            throw new UnsupportedException(
                    file,
                    "what it says of its tensors takes more than %,d bytes of memory, all that Java's heap allows; give Java more, as by -Xmx2g"
                            .formatted(most));
        }
    }
}
