package dev.cairn.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;

/// What the processes of one job know and no other process does. Passed on in the environment, which only processes of
/// the same user can read.
public final class Secret {
    private static final int BYTES = 32;

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /// A new secret.
    public static Secret random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Secret(HexFormat.of().formatHex(bytes));
    }

    /// Whether this is the secret. Takes the same time for every wrong one.
    boolean is(String other) {
        return MessageDigest.isEqual(text.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    /// The secret itself, for the environment of a member.
    public String text() {
        return text;
    }

    @Override
    public String toString() {
        return "secret";
    }
}
