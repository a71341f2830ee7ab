package dev.cairn.s3;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/// A random number for one object that is about to be created. It is stored with the object as metadata.
///
/// If the reply to a request is lost, the SDK or the JDK's HTTP client sends the request again. The second request is
/// refused, because the first one created the object. Comparing contents does not help: two writers may create the same
/// bytes, for example the record of a fresh start in the same millisecond, and then both would conclude that they had
/// won. A writer that finds its own number created the object, and no other writer can have created it.
record Ownership(String nonce) {
    private static final String KEY = "cairn-nonce";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 16;

    static Ownership draw() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new Ownership(HexFormat.of().formatHex(bytes));
    }

    Map<String, String> metadata() {
        return Map.of(KEY, nonce);
    }

    /// The creator of an object.
    enum Maker {
        WE,
        SOMEBODY_ELSE,
        NOBODY
    }

    Maker maker(S3Client client, S3Location location, String name, Troubles troubles) throws IOException {
        @Nullable String found;
        try {
            found = client.headObject(
                            request -> request.bucket(location.bucket()).key(location.key(name)))
                    .metadata()
                    .get(KEY);
        } catch (SdkException e) {
            if (Troubles.status(e) == Troubles.NOT_FOUND) {
                return Maker.NOBODY;
            }
            throw troubles.explain(name, e);
        }
        return nonce.equals(found) ? Maker.WE : Maker.SOMEBODY_ELSE;
    }
}
