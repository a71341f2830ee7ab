package dev.cairn.store;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What the values of a checkpoint are, in 128 bits: over the name, type and shape of each tensor in order, and the
/// checksum of the reconstructed values that ends each of its frames. However a checkpoint is stored, as a delta or
/// merged, the digest of the same values is the same.
final class StateDigest {
    private static final int CHECKSUM_BYTES = 4;
    private static final int BYTES = 16;

    private final MessageDigest digest;

    StateDigest() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    void addTensor(TensorSpec spec) {
        String text = "%s\0%s\0%s\0".formatted(spec.name(), spec.type().label(), spec.shape());
        digest.update(text.getBytes(StandardCharsets.UTF_8));
    }

    void addFrame(MemorySegment frame) {
        digest.update(frame.asSlice(frame.byteSize() - CHECKSUM_BYTES).asByteBuffer());
    }

    /// The checksum that ends a frame, of a frame that is not at hand.
    void addChecksum(int valuesCrc) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            digest.update((byte) (valuesCrc >>> shift));
        }
    }

    /// 32 hexadecimal digits. Nothing may be added afterwards.
    String text() {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
