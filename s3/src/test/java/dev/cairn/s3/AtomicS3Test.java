package dev.cairn.s3;

import dev.cairn.s3.server.AtomicS3;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.blob.BlobStoreContract;
import dev.cairn.store.right.LeaseContract;
import dev.cairn.store.writing.FencingContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/// The rules of storage, leases and fencing, tested on a server whose conditions are atomic.
class AtomicS3Test {
    private static AtomicS3 server;
    private static S3BlobStore run;
    private static S3BlobStore copy;
    private static int runs;

    @BeforeAll
    static void start() throws IOException {
        server = new AtomicS3(Clients.BUCKET);
        run = Clients.store(server.endpoint(), "runs/one");
        copy = Clients.store(server.endpoint(), "runs/copy");
    }

    @AfterAll
    static void stop() {
        run.close();
        copy.close();
        server.close();
    }

    @AfterEach
    void clear() {
        server.clear(Clients.BUCKET);
    }

    @Nested
    class Storage extends BlobStoreContract {
        @Override
        protected BlobStore store() {
            return run;
        }
    }

    @Nested
    class Leases extends LeaseContract {
        @Override
        protected BlobStore store() {
            return run;
        }

        @Override
        protected BlobStore copy() {
            for (String key : server.keys(Clients.BUCKET)) {
                server.put(Clients.BUCKET, key.replace("runs/one/", "runs/copy/"), server.content(Clients.BUCKET, key));
            }
            return copy;
        }

        @Override
        protected void damage(String name, byte[] bytes) {
            server.put(Clients.BUCKET, "runs/one/" + name, bytes);
        }
    }

    @Nested
    class Fencing extends FencingContract {
        private final List<S3BlobStore> opened = new ArrayList<>();

        @Override
        protected BlobStore empty() {
            opened.add(Clients.store(server.endpoint(), "runs/fenced-" + ++runs));
            return opened.getLast();
        }

        @AfterEach
        void closeAll() {
            opened.forEach(S3BlobStore::close);
        }

        @Override
        protected int stride() {
            return 61;
        }
    }
}
