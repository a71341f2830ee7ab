package dev.cairn.formats.zip;

import dev.cairn.formats.file.Input;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// An entry that is stored without compression.
final class StoredContent extends ZipContent {
    private final Input input;
    private final ZipEntry entry;

    StoredContent(Input input, ZipEntry entry) {
        super(input, entry);
        this.input = input;
        this.entry = entry;
    }

    @Override
    void fill(long offset, MemorySegment target) throws IOException {
        input.read(entry.dataOffset() + offset, target);
        sum(offset, target);
    }

    @Override
    public void release() {}
}
