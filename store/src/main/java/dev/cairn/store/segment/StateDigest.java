package dev.cairn.store.segment;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// What the values of a segment are, in 128 bits: over the name, type, shape and extent of each tensor in order, and
/// the checksum of the reconstructed values that ends each of its frames. However they are stored, as a delta or
/// merged, the digest of the same values is the same. That of a checkpoint is composed of its segments'.
public final class StateDigest {
    private static final int CHECKSUM_BYTES = 4;
    private static final int BYTES = 16;

    private final MessageDigest digest;

    public StateDigest() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    public void addTensor(TensorSpec spec) {
        String text = "%s\0%s\0%s\0".formatted(spec.name(), spec.type().label(), spec.shape());
        Extent extent = spec.extent();
        if (extent != null) {
            text += "%s\0%s\0".formatted(extent.shape(), extent.offset());
        }
        digest.update(text.getBytes(StandardCharsets.UTF_8));
    }

    void addFrame(MemorySegment frame) {
        digest.update(frame.asSlice(frame.byteSize() - CHECKSUM_BYTES).asByteBuffer());
    }

    /// The checksum that ends a frame, of a frame that is not at hand.
    public void addChecksum(int valuesCrc) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            digest.update((byte) (valuesCrc >>> shift));
        }
    }

    /// The digest of a checkpoint whose segments have these, in order.
    public static String compose(List<String> segments) {
        var digest = new StateDigest();
        segments.forEach(each -> digest.digest.update(each.getBytes(StandardCharsets.US_ASCII)));
        return digest.text();
    }

    /// 32 hexadecimal digits. Nothing may be added afterwards.
    public String text() {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
