package dev.cairn.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.blob.BlobStoreContract;
import dev.cairn.store.right.LeaseContract;
import dev.cairn.store.writing.FencingContract;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same rules on a server by other authors, which checks signatures.
class S3ProxyTest {
    /// The minimum part size of S3Proxy and AWS.
    private static final int PART_BYTES = 5 << 20;

    @TempDir
    static Path folder;

    private static S3Proxy server;
    private static URI endpoint;
    private static int runs;

    @BeforeAll
    static void start() throws Exception {
        Files.createDirectory(folder.resolve(Clients.BUCKET));
        server = S3Proxy.builder()
                .blobStore(new FilesystemNio2BlobStore(folder.toAbsolutePath().toString()))
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, "tester", "secret")
                .build();
        server.start();
        endpoint = URI.create("http://localhost:" + server.getPort());
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static S3BlobStore store(String prefix) {
        return new S3BlobStore(new S3Location(Clients.BUCKET, prefix), Clients.at(endpoint), new PartSizes(PART_BYTES));
    }

    @Nested
    class Storage extends BlobStoreContract {
        private final S3BlobStore store = S3ProxyTest.store("run-" + ++runs);

        @Override
        protected BlobStore store() {
            return store;
        }
    }

    @Test
    void aLargeBlobGoesUpInPartsOnceAndReadsBack() throws IOException {
        byte[] content = new byte[2 * PART_BYTES + 777];
        new Random(9).nextBytes(content);
        try (S3BlobStore store = store("large")) {
            try (BlobWriter writer = store.write("segments/a")) {
                writer.append(MemorySegment.ofArray(content));
                writer.finish();
            }
            assertThatThrownBy(() -> store.write("segments/a")).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(store.temporaries("segments/")).isEmpty();
            try (BlobReader reader = store.read("segments/a")) {
                byte[] read = new byte[content.length];
                reader.read(0, MemorySegment.ofArray(read));
                assertThat(read).isEqualTo(content);
            }
        }
    }

    @Test
    void anUploadThatNobodyCompletesIsFoundAndAborted() throws IOException {
        try (S3BlobStore store = store("dead")) {
            try (BlobWriter writer = store.write("segments/a")) {
                writer.append(MemorySegment.ofArray(new byte[PART_BYTES + 1]));
                assertThat(store.temporaries("segments/")).hasSize(1);
                store.deleteTemporary(store.temporaries("segments/").getFirst());
                assertThat(store.temporaries("segments/")).isEmpty();
            }
            assertThat(store.listAll()).isEmpty();
        }
    }

    @Nested
    class Leases extends LeaseContract {
        private final String prefix = "run-" + ++runs;
        private final S3BlobStore store = S3ProxyTest.store(prefix);

        @Override
        protected BlobStore store() {
            return store;
        }

        @Override
        protected BlobStore copy() throws IOException {
            Path from = folder.resolve(Clients.BUCKET).resolve(prefix);
            Path to = folder.resolve(Clients.BUCKET).resolve(prefix + "-copy");
            List<Path> files;
            try (Stream<Path> walk = Files.walk(from)) {
                files = walk.sorted(Comparator.naturalOrder()).toList();
            }
            for (Path file : files) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
            return S3ProxyTest.store(prefix + "-copy");
        }

        @Override
        protected void damage(String name, byte[] bytes) throws IOException {
            Files.write(folder.resolve(Clients.BUCKET).resolve(prefix).resolve(name), bytes);
        }
    }

    @Nested
    class Fencing extends FencingContract {
        @Override
        protected BlobStore empty() {
            return store("fenced-" + ++runs);
        }

        @Override
        protected int stride() {
            return 97;
        }
    }
}
