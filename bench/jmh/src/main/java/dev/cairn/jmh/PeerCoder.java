package dev.cairn.jmh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// A general compressor on the same blocks, each compressed for itself as Cairn's are.
final class PeerCoder implements Coder {
    private static final int BLOCK = WorkingSet.blockBytes();

    private final Peer peer;
    private final byte[] source;
    private final byte[] restored;
    private final byte[] packed;
    private int size;

    private PeerCoder(Peer peer, byte[] source) {
        this.peer = peer;
        this.source = source;
        this.restored = new byte[source.length];
        this.packed = new byte[peer.mostBytes(BLOCK)];
    }

    /// Compresses the live values as they are in memory.
    static PeerCoder ofRaw(Peer peer, WorkingSet set) {
        try (set) {
            return new PeerCoder(peer, set.live().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /// Compresses what a careful user would give a general compressor: live bits xor parent bits, with bytes of equal
    /// significance together. That these must be made, and taken apart again, is not held against the peer.
    static PeerCoder ofPlanes(Peer peer, WorkingSet set) {
        try (set) {
            byte[] planes = new byte[Math.toIntExact(set.live().byteSize())];
            int perBlock = BLOCK / Float.BYTES;
            for (int i = 0; i < planes.length / Float.BYTES; i++) {
                int bits = set.live().getAtIndex(ValueLayout.JAVA_INT, i)
                        ^ set.parent().getAtIndex(ValueLayout.JAVA_INT, i);
                int first = i / perBlock * BLOCK + i % perBlock;
                for (int plane = 0; plane < Float.BYTES; plane++) {
                    planes[first + plane * perBlock] = (byte) (bits >>> (8 * plane));
                }
            }
            return new PeerCoder(peer, planes);
        }
    }

    @Override
    public int blocks() {
        return source.length / BLOCK;
    }

    /// Spoils what was restored, so that nothing is taken for restored that is not.
    @Override
    public void reset() {
        Arrays.fill(restored, (byte) 0);
    }

    @Override
    public int encode(int block) {
        size = peer.compress(source, block * BLOCK, BLOCK, packed);
        return size;
    }

    @Override
    public byte[] encoded() {
        return Arrays.copyOf(packed, size);
    }

    @Override
    public void decode(int block, byte[] encoded) {
        peer.decompress(encoded, restored, block * BLOCK, BLOCK);
    }

    @Override
    public MemorySegment source() {
        return MemorySegment.ofArray(source);
    }

    @Override
    public MemorySegment restored() {
        return MemorySegment.ofArray(restored);
    }

    @Override
    public void close() {
        peer.close();
    }
}
