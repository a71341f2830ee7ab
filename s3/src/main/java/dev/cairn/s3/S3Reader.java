package dev.cairn.s3;

import dev.cairn.store.blob.BlobStore.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Reads one object as it was when it was opened. Opening fetches the beginning, so reading a record takes one request.
/// The rest is fetched through [Windows].
final class S3Reader implements BlobReader, Windows.Source {
    private static final int HEAD_BYTES = 64 << 10;
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes [0-9]+-[0-9]+/([0-9]+)");

    private final S3Client client;
    private final S3Location location;
    private final Patience patience;
    private final Troubles troubles;
    private final Windows windows;
    private final String name;
    private final String tag;
    private final long sizeBytes;
    private final MemorySegment head;

    private S3Reader(
            S3Client client,
            S3Location location,
            Patience patience,
            Troubles troubles,
            Windows windows,
            String name,
            Opened opened) {
        this.client = client;
        this.location = location;
        this.patience = patience;
        this.troubles = troubles;
        this.windows = windows;
        this.name = name;
        this.tag = opened.tag();
        this.sizeBytes = opened.sizeBytes();
        this.head = opened.head();
    }

    private record Opened(String tag, long sizeBytes, MemorySegment head) {}

    static S3Reader open(
            S3Client client, S3Location location, Patience patience, Troubles troubles, Windows windows, String name)
            throws IOException {
        Opened opened;
        try {
            opened = client.getObject(
                    request(location, patience, name, 0, HEAD_BYTES).build(), (response, body) -> {
                        long size = totalBytes(response);
                        return new Opened(response.eTag(), size, MemorySegment.ofArray(readAll(body, (int)
                                Math.min(size, HEAD_BYTES))));
                    });
        } catch (SdkException e) {
            if (Troubles.status(e) != Troubles.RANGE_NOT_SATISFIABLE) {
                throw troubles.explain(name, e);
            }
            opened = new Opened("", 0, MemorySegment.NULL); // The object exists, but is empty.
        }
        return new S3Reader(client, location, patience, troubles, windows, name, opened);
    }

    private static GetObjectRequest.Builder request(
            S3Location location, Patience patience, String name, long offset, int length) {
        return GetObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.key(name))
                .range("bytes=%d-%d".formatted(offset, offset + length - 1))
                .overrideConfiguration(S3Connection.moving(patience, length));
    }

    private static long totalBytes(GetObjectResponse response) {
        String range = response.contentRange();
        if (range == null) {
            return response.contentLength();
        }
        Matcher matcher = CONTENT_RANGE.matcher(range);
        if (!matcher.matches()) {
            throw RetryableException.create("invalid reply: content-range=" + range);
        }
        return Long.parseLong(matcher.group(1));
    }

    /// Reads the whole body. A reply that ends early is requested again.
    private static byte[] readAll(InputStream body, int length) throws IOException {
        byte[] bytes;
        try {
            bytes = body.readNBytes(length);
        } catch (IOException cut) {
            throw RetryableException.create("reply cut off", cut);
        }
        if (bytes.length != length) {
            throw RetryableException.create("reply cut off: bytes=%d of %d".formatted(bytes.length, length));
        }
        return bytes;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        long end = offset + target.byteSize();
        if (offset < 0 || end > sizeBytes) {
            throw new EOFException("%s ends at byte %d, but the read goes to %d".formatted(name, sizeBytes, end));
        }
        if (end <= head.byteSize()) {
            MemorySegment.copy(head, offset, target, 0, target.byteSize());
            return;
        }
        for (long done = 0; done < target.byteSize(); ) {
            long window = (offset + done) / Windows.BYTES;
            byte[] bytes = windows.get(this, window, (end - 1) / Windows.BYTES);
            long from = offset + done - window * Windows.BYTES;
            long count = Math.min(bytes.length - from, target.byteSize() - done);
            MemorySegment.copy(MemorySegment.ofArray(bytes), from, target, done, count);
            done += count;
        }
    }

    @Override
    public long count() {
        return (sizeBytes + Windows.BYTES - 1) / Windows.BYTES;
    }

    @Override
    public byte[] fetch(long window) throws IOException {
        long offset = window * Windows.BYTES;
        int length = (int) Math.min(Windows.BYTES, sizeBytes - offset);
        ResponseTransformer<GetObjectResponse, byte[]> toBytes = (_, body) -> readAll(body, length);
        try {
            return client.getObject(
                    request(location, patience, name, offset, length)
                            .ifMatch(tag)
                            .build(),
                    toBytes);
        } catch (SdkException e) {
            if (Troubles.status(e) == Troubles.PRECONDITION_FAILED) {
                throw new NoSuchFileException(location + "/" + name, null, "it was replaced");
            }
            throw troubles.explain(name, e);
        }
    }

    @Override
    public void close() {
        windows.forget(this);
    }
}
