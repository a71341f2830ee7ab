package dev.cairn.s3;

import java.net.URI;
import java.time.Duration;

/// How tests reach their servers: with made-up credentials, and without long pauses.
public final class Clients {
    static final String BUCKET = "bucket";

    static {
        useMadeUpCredentials();
    }

    /// Makes this process somebody whom any server of ours knows.
    public static void useMadeUpCredentials() {
        System.setProperty("aws.accessKeyId", "tester");
        System.setProperty("aws.secretAccessKey", "secret");
        System.setProperty("aws.disableEc2Metadata", "true");
    }

    private Clients() {}

    /// Tries often and soon, and gives up soon.
    public static final Patience IMPATIENT = new Patience(
            6,
            Duration.ofMillis(5),
            Duration.ofMillis(40),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20));

    /// At this server.
    public static S3Options at(URI endpoint) {
        return S3Options.usual()
                .withEndpoint(endpoint)
                .withAddressing(S3Options.Addressing.PATH)
                .withPatience(IMPATIENT);
    }

    /// A run at this server, whose larger blobs go up in small parts.
    static S3BlobStore store(URI endpoint, String prefix) {
        return new S3BlobStore(new S3Location(BUCKET, prefix), at(endpoint), new PartSizes(PART_BYTES));
    }

    /// Far less than AWS allows, so that small blobs have several parts.
    static final int PART_BYTES = 1000;
}
