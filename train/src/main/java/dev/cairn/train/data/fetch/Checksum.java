package dev.cairn.train.data.fetch;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The expected hash of a published file.
record Checksum(String algorithm, String hex) {
    static Checksum sha256(String hex) {
        return new Checksum("SHA-256", hex);
    }

    /// An MD5 sum. It is weak against an attacker; for files whose publisher gives this.
    static Checksum md5(String hex) {
        return new Checksum("MD5", hex);
    }

    MessageDigest start() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    boolean matches(String found) {
        return hex.equals(found);
    }

    static String toHex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
