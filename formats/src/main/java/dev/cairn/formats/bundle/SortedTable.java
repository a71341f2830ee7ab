package dev.cairn.formats.bundle;

import dev.cairn.formats.file.Allowance;
import dev.cairn.formats.file.DamagedFileException;
import dev.cairn.formats.file.Input;
import dev.cairn.formats.file.TensorFile;
import dev.cairn.formats.file.UnsupportedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Reads a sorted table, the format of LevelDB and TensorFlow: blocks of keys and values, an index block with the
/// places of those blocks, and a footer with the place of the index block. Each block has a checksum. A key is stored
/// without the beginning that it shares with the previous key.
///
/// Keys must increase from the first to the last, and so must the places of blocks. So nothing is read twice.
final class SortedTable {
    static final long MAGIC = 0xdb4775248b80fb57L;
    static final int FOOTER_BYTES = 48;
    static final int HANDLES_BYTES = FOOTER_BYTES - Long.BYTES;

    /// The size of what follows each block: its compression and a checksum.
    static final int TRAILER_BYTES = 1 + Integer.BYTES;

    private static final int SNAPPY = 1;
    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MOST_ROWS = TensorFile.MOST_TENSORS + 1;

    private final Input input;
    private final Allowance allowance;
    private byte[] key = new byte[64];
    private int keyLength;
    private long keyBytes;
    private int rows;

    /// Receives each key and its value.
    @FunctionalInterface
    interface Row {
        void accept(byte[] key, WireInput value) throws IOException;
    }

    private SortedTable(Input input, Allowance allowance) {
        this.input = input;
        this.allowance = allowance;
    }

    static void read(Input input, Allowance allowance, Row row) throws IOException {
        if (input.sizeBytes() < FOOTER_BYTES) {
            throw new DamagedFileException(
                    input.name(), "%d bytes are too few for an index".formatted(input.sizeBytes()));
        }
        if (input.sizeBytes() > TensorFile.MOST_HEADER_BYTES) {
            throw new UnsupportedException(
                    input.name(),
                    "its index has %,d bytes; the maximum is %,d"
                            .formatted(input.sizeBytes(), TensorFile.MOST_HEADER_BYTES));
        }
        MemorySegment footer = MemorySegment.ofArray(input.bytes(input.sizeBytes() - FOOTER_BYTES, FOOTER_BYTES));
        if (footer.get(U64, HANDLES_BYTES) != MAGIC) {
            throw new DamagedFileException(input.name(), "does not end like an index");
        }
        new SortedTable(input, allowance).read(new WireInput(input.name(), footer.asSlice(0, HANDLES_BYTES)), row);
    }

    private void read(WireInput footer, Row row) throws IOException {
        block(footer.varint(), footer.varint()); // checked, but not used
        MemorySegment index = block(footer.varint(), footer.varint());
        long[] end = {0};
        var keys = new SortedTable(input, allowance);
        keys.rows(index, (_, handle) -> {
            long offset = handle.varint();
            long size = handle.varint();
            if (offset < end[0]) {
                throw damaged("block at %s, but the previous block ends at %d"
                        .formatted(Long.toUnsignedString(offset), end[0]));
            }
            rows(block(offset, size), row);
            if (Arrays.compareUnsigned(keys.key, 0, keys.keyLength, key, 0, keyLength) < 0) {
                throw damaged("block at %d has keys beyond its last key in the index".formatted(offset));
            }
            end[0] = offset + size + TRAILER_BYTES;
        });
    }

    /// The content of a block, after a check of its checksum.
    private MemorySegment block(long offset, long size) throws IOException {
        long end = input.sizeBytes() - FOOTER_BYTES - TRAILER_BYTES;
        if (offset < 0 || size < 0 || size > end || offset > end - size) {
            throw damaged("block of %s bytes at %s, in a file of %d bytes"
                    .formatted(Long.toUnsignedString(size), Long.toUnsignedString(offset), input.sizeBytes()));
        }
        allowance.read(size);
        allowance.take(size); // a block is not kept, but one block may hold everything
        MemorySegment bytes = MemorySegment.ofArray(input.bytes(offset, (int) size + TRAILER_BYTES));
        int expected = bytes.get(WireInput.U32, size + 1);
        int actual = MaskedCrc.of(bytes.asSlice(0, size + 1));
        if (expected != actual) {
            throw damaged("block at %d: expected crc32c=%08x, actual crc32c=%08x".formatted(offset, expected, actual));
        }
        byte compression = bytes.get(ValueLayout.JAVA_BYTE, size);
        if (compression == SNAPPY) {
            throw new UnsupportedException(
                    input.name(), "its index is compressed, which TensorFlow does not do; load it and save it again");
        }
        if (compression != 0) {
            throw damaged("block at %d has an unknown compression: %d".formatted(offset, compression));
        }
        return bytes.asSlice(0, size);
    }

    /// Reads the rows of a block; there is at least one. Keys are stored whole at the places that the end of the
    /// block lists.
    private void rows(MemorySegment block, Row row) throws IOException {
        long restarts = block.byteSize() < Integer.BYTES
                ? -1
                : Integer.toUnsignedLong(block.get(WireInput.U32, block.byteSize() - Integer.BYTES));
        long end = block.byteSize() - Integer.BYTES * (restarts + 1);
        if (restarts < 1 || end <= 0) {
            throw damaged("a block of %d bytes without rows".formatted(block.byteSize()));
        }
        var content = new WireInput(input.name(), block.asSlice(0, end));
        long restart = 0;
        while (content.hasMore()) {
            boolean whole = restart < restarts
                    && Integer.toUnsignedLong(block.get(WireInput.U32, end + Integer.BYTES * restart))
                            == content.position();
            if (!whole && content.position() == 0) {
                throw damaged("a block whose first row is not in its list of whole keys");
            }
            restart += whole ? 1 : 0;
            long shared = content.varint();
            long restLength = content.varint();
            long valueLength = content.varint();
            if (shared < 0 || shared > (whole ? 0 : keyLength)) {
                throw damaged("a key that shares %s bytes with the previous key, which has %d"
                        .formatted(Long.toUnsignedString(shared), keyLength));
            }
            nextKey((int) shared, content.take(restLength));
            row.accept(Arrays.copyOf(key, keyLength), new WireInput(input.name(), content.take(valueLength)));
        }
        if (restart != restarts) {
            throw damaged("a block that lists %d places of rows, but only %d exist".formatted(restarts, restart));
        }
    }

    private void nextKey(int shared, MemorySegment rest) throws IOException {
        byte[] tail = rest.toArray(ValueLayout.JAVA_BYTE);
        if (rows > 0 && Arrays.compareUnsigned(tail, 0, tail.length, key, shared, keyLength) <= 0) {
            throw damaged("keys are not in order, or one occurs twice");
        }
        keyLength = shared + tail.length;
        keyBytes += keyLength;
        if (++rows > MOST_ROWS || keyBytes > TensorFile.MOST_HEADER_BYTES) {
            throw new UnsupportedException(
                    input.name(),
                    "more than %,d tensors, or names of more than %,d bytes"
                            .formatted(TensorFile.MOST_TENSORS, TensorFile.MOST_HEADER_BYTES));
        }
        if (keyLength > key.length) {
            key = Arrays.copyOf(key, 2 * keyLength);
        }
        System.arraycopy(tail, 0, key, shared, tail.length);
    }

    private DamagedFileException damaged(String problem) {
        return new DamagedFileException(input.name(), problem);
    }
}
