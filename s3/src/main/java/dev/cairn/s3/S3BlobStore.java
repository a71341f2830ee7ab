package dev.cairn.s3;

import dev.cairn.store.blob.BlobNames;
import dev.cairn.store.blob.BlobStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.S3Object;

/// Blobs as objects below one prefix of a bucket. Safe for several threads and several processes.
///
/// Create-if-absent is a conditional write (`If-None-Match: *`). A blob is written as a multipart upload, which is
/// invisible until it is complete. Abandoned uploads are [#temporaries]. The only writer of the run aborts them when it
/// starts.
public final class S3BlobStore implements BlobStore, AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.cairn.s3");
    private static final String UPLOAD_MARK = "?uploadId=";
    private static final int THREADS = 8;

    private final S3Location location;
    private final Patience patience;
    private final PartSizes partSizes;
    private final Troubles troubles;
    private final S3Client client;
    private final Creation creation;
    private final Windows windows;
    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("cairn-s3-", 0).daemon(true).factory());

    /// Opens the run at this location. No request is sent to the server yet.
    public static S3BlobStore open(S3Location location, S3Options options) {
        return new S3BlobStore(location, options, PartSizes.usual());
    }

    S3BlobStore(S3Location location, S3Options options, PartSizes partSizes) {
        this.location = location;
        this.patience = options.patience();
        this.partSizes = partSizes;
        this.troubles = new Troubles(location, options);
        this.client = S3Connection.open(options);
        this.creation = new Creation(client, location, patience, troubles);
        this.windows = new Windows(threads);
    }

    @Override
    public void createIfAbsent(String name, byte[] content) throws IOException {
        creation.create(BlobNames.checked(name), Payload.of(content));
    }

    @Override
    public BlobWriter write(String name) throws IOException {
        BlobNames.checked(name);
        if (Ownership.draw().maker(client, location, name, troubles) != Ownership.Maker.NOBODY) {
            throw new FileAlreadyExistsException(location + "/" + name);
        }
        var target = new S3Writer.Target() {
            @Override
            public Upload begin() throws IOException {
                return Upload.begin(client, location, patience, troubles, name, Upload.Over.NOTHING);
            }

            @Override
            public void create(Payload payload) throws IOException {
                creation.create(name, payload);
            }
        };
        return new S3Writer(target, name, partSizes, threads);
    }

    /// As for any object, a reader gets all of the old bytes or all of the new ones.
    @Override
    public BlobWriter replace(String name) throws IOException {
        BlobNames.checked(name);
        var target = new S3Writer.Target() {
            @Override
            public Upload begin() throws IOException {
                return Upload.begin(client, location, patience, troubles, name, Upload.Over.ANYTHING);
            }

            @Override
            public void create(Payload payload) throws IOException {
                creation.replace(name, payload);
            }
        };
        return new S3Writer(target, name, partSizes, threads);
    }

    @Override
    public BlobReader read(String name) throws IOException {
        return S3Reader.open(client, location, patience, troubles, windows, BlobNames.checked(name));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return list(location.key(folder), "/").stream()
                .filter(BlobNames::isValid)
                .toList();
    }

    @Override
    public List<String> listAll() throws IOException {
        return list(location.key(""), "");
    }

    /// @param delimiter end of a name; empty for all names at any depth
    private List<String> list(String prefix, String delimiter) throws IOException {
        ListObjectsV2Request.Builder request =
                ListObjectsV2Request.builder().bucket(location.bucket()).prefix(prefix);
        if (!delimiter.isEmpty()) {
            request.delimiter(delimiter);
        }
        try {
            return client.listObjectsV2Paginator(request.build()).contents().stream()
                    .map(S3Object::key)
                    .map(location::name)
                    .toList();
        } catch (SdkException e) {
            throw troubles.explain(prefix, e);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        String key = location.key(BlobNames.checked(name));
        try {
            client.deleteObject(request -> request.bucket(location.bucket()).key(key));
        } catch (SdkException e) {
            if (Troubles.status(e) != Troubles.NOT_FOUND) {
                throw troubles.explain(name, e);
            }
        }
    }

    /// Bucket and prefix, without the name of the server. So two clients that use different names for one server
    /// see the same place.
    @Override
    public String place() {
        return location.toString();
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    /// Uploads that are running or abandoned. Empty if the credentials do not allow listing them, or the server
    /// does not support it.
    @Override
    public List<String> temporaries(String folder) throws IOException {
        if (folder.isEmpty()) {
            return List.of(); // The files of the run's own folder are small: each is one request.
        }
        try {
            return client
                    .listMultipartUploadsPaginator(
                            request -> request.bucket(location.bucket()).prefix(location.key(folder)))
                    .uploads()
                    .stream()
                    .map(upload -> location.name(upload.key()) + UPLOAD_MARK + upload.uploadId())
                    .toList();
        } catch (SdkException e) {
            int status = Troubles.status(e);
            if (status < 400 || status >= 500 || status == Troubles.NOT_FOUND) {
                throw troubles.explain(folder, e);
            }
            LOG.log(
                    Level.WARNING,
                    "cannot look for abandoned uploads: "
                            + troubles.explain(folder, e).getMessage());
            return List.of();
        }
    }

    @Override
    public void deleteTemporary(String name) throws IOException {
        int mark = name.indexOf(UPLOAD_MARK);
        if (mark < 0) {
            throw new IllegalArgumentException("not an upload: '" + name + "'");
        }
        String blob = BlobNames.checked(name.substring(0, mark));
        try {
            Upload.abort(client, location, blob, name.substring(mark + UPLOAD_MARK.length()));
        } catch (SdkException e) {
            throw troubles.explain(blob, e);
        }
    }

    /// Ends its threads and connections. Close readers and writers first.
    @Override
    public void close() {
        threads.shutdownNow();
        client.close();
    }
}
