package dev.cairn.store.segment;

import dev.cairn.store.Extent;
import dev.cairn.store.TensorSpec;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// A 128-bit digest of the values of a segment. It covers the name, type, shape and extent of each tensor in order,
/// and the checksum of the reconstructed values at the end of each of its frames. The same values have the same
/// digest, whether they are stored as a delta or merged. The digest of a checkpoint is computed from those of its
/// segments.
public final class StateDigest {
    private static final int CHECKSUM_BYTES = 4;
    private static final int BYTES = 16;

    private final MessageDigest digest;

    public StateDigest() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
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

    /// Adds the checksum at the end of a frame if the frame itself is not available.
    public void addChecksum(int valuesCrc) {
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            digest.update((byte) (valuesCrc >>> shift));
        }
    }

    /// The digest of a checkpoint whose segments have these digests, in order.
    public static String compose(List<String> segments) {
        var digest = new StateDigest();
        segments.forEach(each -> digest.digest.update(each.getBytes(StandardCharsets.US_ASCII)));
        return digest.text();
    }

    /// The digest as 32 hexadecimal digits. Nothing may be added afterwards.
    public String text() {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
