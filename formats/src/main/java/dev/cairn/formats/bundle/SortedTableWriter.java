package dev.cairn.formats.bundle;

import dev.cairn.disk.NewFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes a [SortedTable], without compression. Keys must be added in order.
final class SortedTableWriter {
    private static final int BLOCK_BYTES = 256 << 10;

    private final NewFile output;
    private final Block rows = new Block(16);
    private final Block index = new Block(1);

    SortedTableWriter(NewFile output) {
        this.output = output;
    }

    void add(byte[] key, byte[] value) throws IOException {
        rows.add(key, value);
        if (rows.content.size() >= BLOCK_BYTES) {
            endBlock();
        }
    }

    void finish() throws IOException {
        if (rows.content.size() > 0) {
            endBlock();
        }
        byte[] none = write(new Block(1));
        byte[] blocks = write(index);
        var handles = new WireOutput();
        handles.bytes(none);
        handles.bytes(blocks);
        var footer = new WireOutput();
        footer.bytes(Arrays.copyOf(handles.toBytes(), SortedTable.HANDLES_BYTES));
        footer.fixed64(SortedTable.MAGIC);
        output.append(footer.toBytes());
    }

    private void endBlock() throws IOException {
        byte[] last = rows.lastKey;
        index.add(last, write(rows));
    }

    /// Writes a block and returns its place.
    private byte[] write(Block block) throws IOException {
        long offset = output.position();
        byte[] content = block.take();
        var trailer = new WireOutput();
        byte[] summed = Arrays.copyOf(content, content.length + 1); // the last byte is 0: not compressed
        trailer.fixed32(MaskedCrc.of(summed));
        output.append(summed);
        output.append(trailer.toBytes());
        var handle = new WireOutput();
        handle.varint(offset);
        handle.varint(content.length);
        return handle.toBytes();
    }

    private static final class Block {
        private final int interval;
        private final WireOutput content = new WireOutput();
        private final List<Integer> restarts = new ArrayList<>();
        private byte[] lastKey = {};
        private int count;

        /// @param interval number of rows from one whole key to the next
        Block(int interval) {
            this.interval = interval;
        }

        void add(byte[] key, byte[] value) {
            int shared = 0;
            if (count++ % interval == 0) {
                restarts.add(content.size());
            } else {
                int mismatch = Arrays.mismatch(key, lastKey);
                shared = mismatch < 0 ? key.length : mismatch;
            }
            content.varint(shared);
            content.varint(key.length - shared);
            content.varint(value.length);
            content.bytes(key, shared);
            content.bytes(value);
            lastKey = key;
        }

        /// Returns the whole content and clears the block.
        byte[] take() {
            if (restarts.isEmpty()) {
                restarts.add(0);
            }
            restarts.forEach(content::fixed32);
            content.fixed32(restarts.size());
            byte[] bytes = content.toBytes();
            content.clear();
            restarts.clear();
            count = 0;
            return bytes;
        }
    }
}
