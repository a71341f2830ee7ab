package dev.cairn.s3;

import java.net.URI;
import java.time.Duration;

/// Connections of tests to their servers, with made-up credentials and without long pauses.
public final class Clients {
    static final String BUCKET = "bucket";

    static {
        useMadeUpCredentials();
    }

    /// Gives this process credentials that every test server accepts.
    public static void useMadeUpCredentials() {
        System.setProperty("aws.accessKeyId", "tester");
        System.setProperty("aws.secretAccessKey", "secret");
        System.setProperty("aws.disableEc2Metadata", "true");
    }

    private Clients() {}

    /// Retries often and quickly, and gives up quickly.
    public static final Patience IMPATIENT = new Patience(
            6,
            Duration.ofMillis(5),
            Duration.ofMillis(40),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20));

    /// Options for this server.
    public static S3Options at(URI endpoint) {
        return S3Options.usual()
                .withEndpoint(endpoint)
                .withAddressing(S3Options.Addressing.PATH)
                .withPatience(IMPATIENT);
    }

    /// A run on this server. Its larger blobs are uploaded in small parts.
    static S3BlobStore store(URI endpoint, String prefix) {
        return new S3BlobStore(new S3Location(BUCKET, prefix), at(endpoint), new PartSizes(PART_BYTES));
    }

    /// Far less than AWS allows, so that small blobs have several parts.
    static final int PART_BYTES = 1000;
}
