package dev.cairn.jmh;

import dev.cairn.codec.CorruptBlockException;
import java.lang.foreign.MemorySegment;

/// One way to turn the blocks of a working set into bytes and back, with buffers of its own. For one thread.
sealed interface Coder extends AutoCloseable permits CairnCoder, MemcpyCoder, PeerCoder {
    int blocks();

    /// Makes the state that encoding or decoding starts from; not part of what is measured.
    void reset();

    /// Encodes a block into memory that the next one overwrites, and tells its size in bytes.
    int encode(int block);

    /// The block encoded last, in memory of its own.
    byte[] encoded();

    void decode(int block, byte[] encoded) throws CorruptBlockException;

    /// What is encoded.
    MemorySegment source();

    /// What decoding writes.
    MemorySegment restored();

    @Override
    void close();

    /// Every block, encoded from the beginning on.
    default byte[][] encodeAll() {
        reset();
        byte[][] frames = new byte[blocks()][];
        for (int block = 0; block < frames.length; block++) {
            encode(block);
            frames[block] = encoded();
        }
        return frames;
    }
}
