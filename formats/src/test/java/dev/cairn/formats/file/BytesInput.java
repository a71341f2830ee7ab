package dev.cairn.formats.file;

import java.lang.foreign.MemorySegment;

/// A file in memory.
public record BytesInput(MemorySegment content) implements Input {
    public BytesInput(byte[] bytes) {
        this(MemorySegment.ofArray(bytes));
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public long sizeBytes() {
        return content.byteSize();
    }

    @Override
    public void read(long position, MemorySegment target) throws DamagedFileException {
        if (position < 0 || position > content.byteSize() - target.byteSize()) {
            throw new DamagedFileException(name(), "ends early");
        }
        target.copyFrom(content.asSlice(position, target.byteSize()));
    }

    @Override
    public void close() {}
}
