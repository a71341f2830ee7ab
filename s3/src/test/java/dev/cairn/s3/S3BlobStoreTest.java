package dev.cairn.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.s3.server.AtomicS3;
import dev.cairn.s3.server.Fault;
import dev.cairn.store.StorageUnavailableException;
import dev.cairn.store.blob.BlobStore.BlobReader;
import dev.cairn.store.blob.BlobStore.BlobWriter;
import dev.cairn.store.reading.CheckpointStore;
import dev.cairn.store.writing.CheckpointWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3BlobStoreTest {
    private AtomicS3 server;
    private S3BlobStore store;

    @BeforeEach
    void start() throws IOException {
        server = new AtomicS3(Clients.BUCKET);
        store = Clients.store(server.endpoint(), "run");
    }

    @AfterEach
    void stop() {
        store.close();
        server.close();
    }

    /// A store whose first requests of this kind fail.
    private S3BlobStore failing(String kind, Fault fault, int times) throws IOException {
        var left = new AtomicInteger(times);
        var door = server.door((each, key) -> each.equals(kind) && left.getAndDecrement() > 0 ? fault : Fault.NONE);
        return Clients.store(door.endpoint(), "run");
    }

    private static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(S3BlobStore to, String name, byte[] content, int piece) throws IOException {
        try (BlobWriter writer = to.write(name)) {
            for (int at = 0; at < content.length; at += piece) {
                int length = Math.min(piece, content.length - at);
                writer.append(MemorySegment.ofArray(content).asSlice(at, length));
            }
            writer.finish();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, 5000, 12_345})
    void aBlobOfAnySizeIsOneObjectAndNoUploadStays(int length) throws IOException {
        byte[] content = random(length, length);
        write(store, "segments/a", content, 137);
        assertThat(server.content(Clients.BUCKET, "run/segments/a")).isEqualTo(content);
        assertThat(server.uploads(Clients.BUCKET)).isZero();
        try (BlobReader reader = store.read("segments/a")) {
            assertThat(reader.sizeBytes()).isEqualTo(length);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {
                "NONE",
                "ERROR",
                "SLOW_DOWN",
                "CUT_BEFORE",
                "CUT_AFTER",
                "SLOW",
                "LATE",
                "TRUNCATED",
                "BODILESS",
                "EMPTY"
            })
    void anyRequestOfAWriteMayFailOnce(Fault fault) throws IOException {
        byte[] content = random(4321, 7);
        for (String kind : new String[] {"HEAD", "BEGIN", "PART", "COMPLETE"}) {
            String name = "segments/" + kind;
            try (S3BlobStore failing = failing(kind, fault, 1)) {
                write(failing, name, content, 500);
            }
            assertThat(server.content(Clients.BUCKET, "run/" + name)).as(kind).isEqualTo(content);
        }
        try (S3BlobStore failing = failing("PUT", fault, 1)) {
            failing.createIfAbsent("log/1", content);
        }
        assertThat(server.content(Clients.BUCKET, "run/log/1")).isEqualTo(content);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"ERROR", "CUT_BEFORE", "TRUNCATED", "BODILESS", "EMPTY"})
    void aListingThatIsCutOffIsAskedForAgain(Fault fault) throws IOException {
        for (int i = 0; i < 12; i++) {
            store.createIfAbsent("log/" + i, new byte[1]);
        }
        try (BlobWriter writer = store.write("segments/a")) {
            writer.append(MemorySegment.ofArray(random(5000, 1)));
            writer.append(MemorySegment.ofArray(random(5000, 1)));
            try (S3BlobStore failing = failing("LIST", fault, 2)) {
                assertThat(failing.list("log/")).hasSize(12);
            }
            try (S3BlobStore failing = failing("LIST", fault, 2)) {
                assertThat(failing.listAll()).hasSize(12);
            }
            try (S3BlobStore failing = failing("LIST-UPLOADS", fault, 2)) {
                assertThat(failing.temporaries("segments/")).hasSize(1);
            }
        }
    }

    @Test
    void aCreationWhoseReplyIsLostIsASuccessAndNobodyElsesIs() throws IOException {
        byte[] same = random(100, 1);
        try (S3BlobStore failing = failing("PUT", Fault.CUT_AFTER, 2)) {
            failing.createIfAbsent("log/1", same);
        }
        // Not even with the same bytes.
        assertThatThrownBy(() -> store.createIfAbsent("log/1", same)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aWriterThatGivesUpAbortsItsUploadAndOneThatDiesLeavesItToTheNext() throws IOException {
        try (BlobWriter writer = store.write("segments/a")) {
            writer.append(MemorySegment.ofArray(random(5000, 1)));
        }
        assertThat(server.uploads(Clients.BUCKET)).isZero();
        assertThat(server.keys(Clients.BUCKET)).isEmpty();

        var door = server.door((kind, key) -> Fault.NONE);
        try (S3BlobStore dying = Clients.store(door.endpoint(), "run")) {
            BlobWriter writer = dying.write("segments/b");
            writer.append(MemorySegment.ofArray(random(5000, 1)));
            door.kill();
            assertThatThrownBy(writer::finish).isInstanceOf(StorageUnavailableException.class);
            writer.close();
        }
        assertThat(server.uploads(Clients.BUCKET)).isEqualTo(1);
        assertThat(store.temporaries("segments/")).hasSize(1);
        CheckpointWriter.open(new CheckpointStore(store), () -> {});
        assertThat(server.uploads(Clients.BUCKET)).isZero();
    }

    @Test
    void anUploadThatTheNextWriterAbortedFails() throws IOException {
        try (BlobWriter writer = store.write("segments/a")) {
            writer.append(MemorySegment.ofArray(random(5000, 1)));
            writer.append(MemorySegment.ofArray(random(5000, 1)));
            for (String upload : store.temporaries("segments/")) {
                store.deleteTemporary(upload);
            }
            assertThatThrownBy(() -> {
                        writer.append(MemorySegment.ofArray(random(5000, 1)));
                        writer.finish();
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is gone");
        }
        assertThat(server.keys(Clients.BUCKET)).isEmpty();
    }

    @Test
    void rangesReadRightOnSeveralThreadsWhateverHappensToReplies() throws Exception {
        byte[] content = random(3 * Windows.BYTES + 12_345, 3);
        server.put(Clients.BUCKET, "run/segments/a", content);
        var random = new Random(5);
        var door = server.door((kind, key) -> {
            synchronized (random) {
                int chance = random.nextInt(12);
                return chance == 0 ? Fault.TRUNCATED : chance == 1 ? Fault.CUT_BEFORE : Fault.NONE;
            }
        });
        try (S3BlobStore flaky = Clients.store(door.endpoint(), "run");
                BlobReader reader = flaky.read("segments/a");
                var threads = Executors.newFixedThreadPool(4)) {
            var reads = new ArrayList<Callable<Void>>();
            for (int i = 0; i < 60; i++) {
                var own = new Random(i);
                int length = own.nextInt(i % 10 == 0 ? 2 * Windows.BYTES + 9 : 100_000);
                int offset = own.nextInt(content.length - length);
                reads.add(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment target =
                                arena.allocate(Math.max(1, length)).asSlice(0, length);
                        reader.read(offset, target);
                        assertThat(target.mismatch(
                                        MemorySegment.ofArray(content).asSlice(offset, length)))
                                .isEqualTo(-1);
                    }
                    return null;
                });
            }
            for (var read : threads.invokeAll(reads)) {
                read.get();
            }
        }
    }

    @Test
    void anObjectThatIsReplacedWhileItIsReadIsNotMixed() throws IOException {
        server.put(Clients.BUCKET, "run/segments/a", new byte[300_000]);
        try (BlobReader reader = store.read("segments/a")) {
            server.put(Clients.BUCKET, "run/segments/a", random(300_000, 1));
            MemorySegment target = MemorySegment.ofArray(new byte[100]);
            assertThatThrownBy(() -> reader.read(200_000, target)).hasMessageContaining("replaced");
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        }
    }

    @Test
    void whatIsUnavailableSaysProblemCauseAndCureInOneLine() throws IOException {
        try (S3BlobStore expired = failing("LIST", Fault.EXPIRED, 100)) {
            assertThatThrownBy(() -> expired.list("log/"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageMatching(
                            "storage unavailable: s3://bucket/run at http://localhost:[0-9]+: the credentials"
                                    + " have expired \\(status=403 code=ExpiredToken\\); renew them; .*");
        }
        try (S3BlobStore hollow = failing("LIST", Fault.EMPTY, 100)) {
            assertThatThrownBy(() -> hollow.list("log/"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("reply without content")
                    .hasMessageEndingWith("check the network and the storage setting 'endpoint'; try again later");
        }
        try (S3BlobStore slow = failing("GET", Fault.SLOW_DOWN, 100)) {
            assertThatThrownBy(() -> slow.read("log/1"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("the server fails (status=503 code=SlowDown); it was tried 6 times");
        }
        try (S3BlobStore cut = failing("GET", Fault.TRUNCATED, 100)) {
            cut.createIfAbsent("log/1", new byte[10]);
            assertThatThrownBy(() -> cut.read("log/1"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("check the network");
        }
        var elsewhere = new S3Location("nobucket", "run");
        try (S3BlobStore absent = S3BlobStore.open(elsewhere, Clients.at(server.endpoint()))) {
            assertThatThrownBy(() -> absent.list("log/"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("no bucket 'nobucket'; create it, or correct its name");
        }
        try (S3BlobStore down = Clients.store(URI.create("http://localhost:1"), "run")) {
            assertThatThrownBy(() -> down.list("log/"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageEndingWith(
                            "connection refused; check the network and the storage setting 'endpoint'; try again later");
        }
    }

    @Test
    void aServerThatNeverAnswersIsGivenUp() throws IOException {
        try (var silent = new java.net.ServerSocket(0)) {
            var patience = new Patience(
                    2,
                    Duration.ofMillis(1),
                    Duration.ofMillis(1),
                    Duration.ofMillis(200),
                    Duration.ofMillis(200),
                    Duration.ofMillis(300),
                    Duration.ofSeconds(1));
            URI endpoint = URI.create("http://localhost:" + silent.getLocalPort());
            try (S3BlobStore store = S3BlobStore.open(
                    new S3Location("bucket", "run"), Clients.at(endpoint).withPatience(patience))) {
                assertThatThrownBy(() -> store.createIfAbsent("log/1", new byte[1]))
                        .isInstanceOf(StorageUnavailableException.class)
                        .hasMessageContaining("no answer in time");
            }
        }
    }

    @Test
    void whoMayNotListUploadsDoesWithout() throws IOException {
        try (S3BlobStore denied = failing("LIST-UPLOADS", Fault.EXPIRED, 100)) {
            assertThatCode(() -> CheckpointWriter.open(new CheckpointStore(denied), () -> {}))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void tenThousandPartsHoldFourTerabytes() {
        long total = 0;
        for (int part = 1; part <= PartSizes.MOST_PARTS; part++) {
            total += PartSizes.usual().bytes(part);
        }
        assertThat(total).isGreaterThan(4_000_000_000_000L);
        assertThat(PartSizes.usual().bytes(PartSizes.MOST_PARTS)).isEqualTo(1 << 30);
    }
}
