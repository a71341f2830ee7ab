package dev.cairn.s3;

import dev.cairn.s3.Ownership.Maker;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;

/// A multipart upload. Each part has a checksum. It becomes an object when it is completed, and is invisible before.
/// Several threads may send parts.
final class Upload {
    private static final Logger LOG = System.getLogger("dev.cairn.s3");

    private final S3Client client;
    private final S3Location location;
    private final Patience patience;
    private final Troubles troubles;
    private final String name;
    private final String id;
    private final Ownership ownership;
    private final Over over;
    private final List<CompletedPart> parts = new CopyOnWriteArrayList<>();

    private Upload(
            S3Client client,
            S3Location location,
            Patience patience,
            Troubles troubles,
            String name,
            String id,
            Ownership ownership,
            Over over) {
        this.client = client;
        this.location = location;
        this.patience = patience;
        this.troubles = troubles;
        this.name = name;
        this.id = id;
        this.ownership = ownership;
        this.over = over;
    }

    /// What the object may take the place of.
    enum Over {
        NOTHING,
        ANYTHING
    }

    static Upload begin(
            S3Client client, S3Location location, Patience patience, Troubles troubles, String name, Over over)
            throws IOException {
        Ownership ownership = Ownership.draw();
        CreateMultipartUploadRequest request = CreateMultipartUploadRequest.builder()
                .bucket(location.bucket())
                .key(location.key(name))
                .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)
                .metadata(ownership.metadata())
                .build();
        try {
            String id = client.createMultipartUpload(request).uploadId();
            return new Upload(client, location, patience, troubles, name, id, ownership, over);
        } catch (SdkException e) {
            throw troubles.explain(name, e);
        }
    }

    void send(int number, Payload payload) throws IOException {
        String checksum = payload.crc32c();
        try {
            String tag = client.uploadPart(
                            request -> request.bucket(location.bucket())
                                    .key(location.key(name))
                                    .uploadId(id)
                                    .partNumber(number)
                                    .checksumCRC32C(checksum)
                                    .overrideConfiguration(S3Connection.moving(patience, payload.sizeBytes())),
                            payload.body())
                    .eTag();
            parts.add(CompletedPart.builder()
                    .partNumber(number)
                    .eTag(tag)
                    .checksumCRC32C(checksum)
                    .build());
        } catch (SdkException e) {
            throw Troubles.status(e) == Troubles.NOT_FOUND ? aborted(e) : troubles.explain(name, e);
        }
    }

    /// Turns the parts into an object, unless an object with its name exists that it may not replace.
    void complete() throws IOException {
        List<CompletedPart> inOrder = parts.stream()
                .sorted(Comparator.comparing(CompletedPart::partNumber))
                .toList();
        try {
            client.completeMultipartUpload(request -> request.bucket(location.bucket())
                    .key(location.key(name))
                    .uploadId(id)
                    .ifNoneMatch(over == Over.NOTHING ? "*" : null)
                    .multipartUpload(upload -> upload.parts(inOrder)));
        } catch (SdkException e) {
            int status = Troubles.status(e);
            boolean perhapsDone = status == Troubles.PRECONDITION_FAILED || status == Troubles.NOT_FOUND;
            if (!perhapsDone) {
                throw troubles.explain(name, e);
            }
            switch (ownership.maker(client, location, name, troubles)) {
                case Maker.WE -> {}
                case Maker.SOMEBODY_ELSE -> throw new FileAlreadyExistsException(location + "/" + name);
                case Maker.NOBODY -> throw aborted(e);
            }
        }
    }

    private IOException aborted(SdkException e) {
        return new IOException(
                "upload of %s/%s is gone: the next writer of the run or a lifecycle rule of the bucket aborted it"
                        .formatted(location, name),
                e);
    }

    /// Frees the storage of the parts. If that fails, the next writer of the run does it.
    void abort() {
        try {
            abort(client, location, name, id);
        } catch (SdkException e) {
            LOG.log(Level.DEBUG, "upload not aborted; the next start of the run aborts it name=" + name, e);
        }
    }

    static void abort(S3Client client, S3Location location, String name, String id) {
        try {
            client.abortMultipartUpload(request ->
                    request.bucket(location.bucket()).key(location.key(name)).uploadId(id));
        } catch (SdkException e) {
            if (Troubles.status(e) != Troubles.NOT_FOUND) {
                throw e;
            }
        }
    }
}
