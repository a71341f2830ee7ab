package dev.cairn.train;

import dev.cairn.engine.StateOwner;
import dev.cairn.store.Role;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;

/// The SHA-256 of the weights' little-endian bytes in the order of their names. Equal weights have the same digest on
/// every machine.
final class WeightsDigest {
    private static final long SLICE = 1 << 30;

    private WeightsDigest() {}

    static String sha256(StateOwner owner) {
        MessageDigest digest = newDigest();
        owner.tensors().stream()
                .filter(tensor -> tensor.spec().role() == Role.WEIGHT)
                .sorted(Comparator.comparing(tensor -> tensor.spec().name()))
                .forEach(tensor -> {
                    long size = tensor.memory().byteSize();
                    for (long offset = 0; offset < size; offset += SLICE) {
                        digest.update(tensor.memory()
                                .asSlice(offset, Math.min(SLICE, size - offset))
                                .asByteBuffer());
                    }
                });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
