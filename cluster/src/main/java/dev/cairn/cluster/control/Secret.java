package dev.cairn.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What the processes of one job know and no other process does. On one host it is passed on in the
/// environment, which only processes of the same user can read. It is never sent: each side proves to the other
/// that it knows it.
public final class Secret {
    /// A shorter one could be guessed.
    public static final int LEAST_LETTERS = 16;

    private static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

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

    /// The secret that somebody chose.
    ///
    /// @throws IllegalArgumentException if it is too short
    public static Secret of(String text) {
        if (text.length() < LEAST_LETTERS) {
            throw new IllegalArgumentException("it has fewer than %d letters".formatted(LEAST_LETTERS));
        }
        return new Secret(text);
    }

    /// Shows that this side knows the secret.
    ///
    /// @param who which side that is: a proof of one side is of no use to the other
    /// @param nonces random words of both sides: a proof is of no use a second time
    String proof(String who, String nonces) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(text.getBytes(UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal((who + " " + nonces).getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    /// Whether this is the proof. Takes the same time for every wrong one.
    boolean isProof(String told, String who, String nonces) {
        return MessageDigest.isEqual(proof(who, nonces).getBytes(UTF_8), told.getBytes(UTF_8));
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
