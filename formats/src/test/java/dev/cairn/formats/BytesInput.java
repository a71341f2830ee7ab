package dev.cairn.formats;

import java.lang.foreign.MemorySegment;

/// A file in memory.
record BytesInput(MemorySegment content) implements Input {
    BytesInput(byte[] bytes) {
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
