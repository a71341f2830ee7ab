package dev.cairn.s3;

import dev.cairn.s3.Ownership.Maker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// Creates an object in one request if no object has its name. Of any number of callers one succeeds, even if
/// replies are lost.
final class Creation {
    private static final int MOST_CONFLICTS = 10;
    private static final int LONGEST_PAUSE_MILLIS = 200;

    private final S3Client client;
    private final S3Location location;
    private final Patience patience;
    private final Troubles troubles;

    Creation(S3Client client, S3Location location, Patience patience, Troubles troubles) {
        this.client = client;
        this.location = location;
        this.patience = patience;
        this.troubles = troubles;
    }

    private PutObjectRequest.Builder request(String name, Payload payload, Ownership ownership) {
        return PutObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.key(name))
                .checksumCRC32C(payload.crc32c())
                .metadata(ownership.metadata())
                .overrideConfiguration(S3Connection.moving(patience, payload.sizeBytes()));
    }

    /// Creates the object, or puts it in the place of another one.
    void replace(String name, Payload payload) throws IOException {
        try {
            client.putObject(request(name, payload, Ownership.draw()).build(), payload.body());
        } catch (SdkException e) {
            throw troubles.explain(name, e);
        }
    }

    /// @throws FileAlreadyExistsException if another writer created it
    void create(String name, Payload payload) throws IOException {
        Ownership ownership = Ownership.draw();
        PutObjectRequest request =
                request(name, payload, ownership).ifNoneMatch("*").build();
        for (int attempt = 1; ; attempt++) {
            try {
                client.putObject(request, payload.body());
                return;
            } catch (SdkException e) {
                boolean retry = Troubles.status(e) == Troubles.CONFLICT && attempt < MOST_CONFLICTS;
                if (!retry && Troubles.status(e) != Troubles.PRECONDITION_FAILED) {
                    throw troubles.explain(name, e);
                }
                switch (ownership.maker(client, location, name, troubles)) {
                    case Maker.WE -> {
                        return;
                    }
                    case Maker.SOMEBODY_ELSE -> throw new FileAlreadyExistsException(location + "/" + name);
                    case Maker.NOBODY -> {
                        if (!retry) {
                            // The object existed, and was removed since.
                            throw new FileAlreadyExistsException(location + "/" + name);
                        }
                    }
                }
            }
            // Another creation of the same name was running, and failed.
            pause();
        }
    }

    private void pause() throws IOException {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, LONGEST_PAUSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + location);
        }
    }
}
