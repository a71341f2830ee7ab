package dev.cairn.s3;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/// A number drawn at random for one object that is about to be made, kept with it as metadata.
///
/// A request whose reply is lost is sent again, by the SDK or by the JDK's HTTP client, and is then refused because the
/// object is there: made by the first one. To compare contents would not tell: two writers may well create the same
/// bytes, such as the record of a fresh start in the same millisecond, and then both would believe that they had won.
/// Who finds its own number made the object, and nobody else can have.
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

    /// Who made an object.
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
