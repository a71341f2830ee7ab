package dev.cairn.train.data.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import dev.cairn.train.data.fetch.Published.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadsTest {
    static final Patience SHORT = new Patience(
            3,
            Duration.ofMillis(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofMillis(300),
            Duration.ofSeconds(20));

    /// For tests in which a busy machine must not cause a retry.
    static final Patience PATIENT = new Patience(
            3,
            Duration.ofMillis(1),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            Duration.ofMinutes(2));

    private static final byte[] BYTES = bytes();

    @TempDir
    Path folder;

    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;

    /// Answers a request; the number counts from 1.
    private interface Answer {
        void give(HttpExchange exchange, int number) throws IOException;
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aFileComesOnceWithItsProgress() throws IOException {
        serve((exchange, _) -> send(exchange, 200, BYTES));
        var told = new ArrayList<String>();
        List<Path> files = new Downloads(SHORT)
                .fetch(published(), folder, (file, bytes, total) -> told.add(file + " " + bytes + " " + total));
        assertThat(files).containsExactly(folder.resolve("toy/toy.zip"));
        assertThat(files.getFirst()).hasBinaryContent(BYTES);
        assertThat(told.getLast()).isEqualTo("toy.zip %d %d".formatted(BYTES.length, BYTES.length));
        fetch();
        assertThat(requests).hasValue(1);
        assertThat(names()).containsExactly(".lock", "toy.zip");
    }

    @Test
    void onlyWhatIsMissingIsFetched() throws IOException {
        serve((exchange, _) -> send(exchange, 200, BYTES));
        Path there = Files.createDirectories(folder.resolve("toy")).resolve("labels.gz");
        Files.writeString(there, "by hand");
        var labels =
                new Part(List.of("toy/labels.gz"), "labels.gz", address().resolve("none"), Checksum.sha256("0"), 100);
        var both = new Published("toy", List.of(labels, published().parts().getFirst()));
        assertThat(new Downloads(SHORT).fetch(both, folder, DataProgress.NONE))
                .containsExactly(there, folder.resolve("toy/toy.zip"));
        assertThat(there).hasContent("by hand");
        assertThat(requests).hasValue(1);
    }

    @Test
    void aServerThatIsBusyIsAskedAgain() throws IOException {
        serve((exchange, number) -> send(exchange, number < 3 ? 503 : 200, number < 3 ? new byte[0] : BYTES));
        var told = new ArrayList<String>();
        new Downloads(SHORT).fetch(published(), folder, new DataProgress() {
            @Override
            public void downloading(String file, long bytes, long totalBytes) {}

            @Override
            public void retrying(String file, int nextAttempt, String reason) {
                told.add(nextAttempt + ": " + reason);
            }
        });
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        assertThat(told).containsExactly("2: " + host + " answered 503", "3: " + host + " answered 503");
        assertThat(requests).hasValue(3);
    }

    @Test
    void aConnectionThatIsCutIsTriedAgain() throws IOException {
        serve((exchange, number) -> {
            if (number == 1) {
                exchange.sendResponseHeaders(200, BYTES.length);
                exchange.getResponseBody().write(BYTES, 0, 1000);
                exchange.getResponseBody().flush();
                exchange.close();
            } else {
                send(exchange, 200, BYTES);
            }
        });
        assertThat(fetch().getFirst()).hasBinaryContent(BYTES);
        assertThat(requests).hasValue(2);
    }

    @Test
    void aServerThatFallsSilentIsNotWaitedForForever() throws IOException {
        serve((exchange, number) -> {
            if (number == 1) {
                exchange.sendResponseHeaders(200, BYTES.length);
                exchange.getResponseBody().write(BYTES, 0, 1000);
                exchange.getResponseBody().flush(); // and no more
            } else {
                send(exchange, 200, BYTES);
            }
        });
        assertThat(fetch().getFirst()).hasBinaryContent(BYTES);
        assertThat(requests).hasValue(2);
    }

    @Test
    void wrongBytesNeverGetTheNameOfTheFile() throws IOException {
        byte[] wrong = BYTES.clone();
        wrong[500] ^= 1;
        serve((exchange, _) -> send(exchange, 200, wrong));
        assertThatThrownBy(this::fetch)
                .hasMessageContaining("cannot download toy: toy.zip: checksum does not match: SHA-256 expected="
                        + sha256(BYTES) + " actual=" + sha256(wrong) + " (3 attempts)");
        assertThat(names()).containsExactly(".lock");
        assertThat(requests).hasValue(3);
    }

    @Test
    void whatIsNotThereIsNotAskedForAgain() throws IOException {
        serve((exchange, _) -> send(exchange, 404, new byte[0]));
        assertThatThrownBy(this::fetch).hasMessageContaining("answered 404 (1 attempt)");
        assertThat(requests).hasValue(1);
    }

    @Test
    void moreBytesThanThereCanBeAreNotTaken() throws IOException {
        serve((exchange, _) -> send(exchange, 200, new byte[2_000_000]));
        assertThatThrownBy(this::fetch).hasMessageContaining("more than 1000000 bytes (1 attempt)");
        assertThat(names()).containsExactly(".lock");
    }

    @Test
    void withoutNetworkOneLineSaysWhatToPutWhere() {
        Published published = published();
        server.stop(0);
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        assertThatThrownBy(() -> new Downloads(SHORT).fetch(published, folder, DataProgress.NONE))
                .hasMessage(
                        "cannot download toy: toy.zip: no connection to %s (3 attempts); put %s into %s, or set CAIRN_DATA to the folder above it"
                                .formatted(host, address(), folder.resolve("toy")));
    }

    @Test
    void aFullDiskIsNamedAtOnceWithTheFileAndACure() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "no device that is full");
        serve((exchange, _) -> send(exchange, 200, BYTES));
        Path unfinished = Files.createDirectories(folder.resolve("toy")).resolve("toy.zip.part");
        Files.createSymbolicLink(unfinished, full);
        assertThatThrownBy(this::fetch)
                .hasMessage(
                        "cannot download toy: cannot write %s: No space left on device; free some space, or set CAIRN_DATA to a folder that has it"
                                .formatted(unfinished));
        assertThat(requests).hasValue(1);
        assertThat(names()).containsExactly(".lock");
    }

    @Test
    void whatIsInTheWayOfAFileIsNamedAndNothingIsDownloaded() throws Exception {
        serve((exchange, _) -> send(exchange, 200, BYTES));
        Path file = Files.createDirectories(folder.resolve("toy")).resolve("toy.zip");
        String cure = "; remove it, or put the file there";
        Files.createDirectory(file);
        assertThatThrownBy(this::fetch).hasMessage(file + " is a folder, not a file" + cure);
        Files.delete(file);
        Files.createSymbolicLink(file, folder);
        assertThatThrownBy(this::fetch).hasMessage(file + " is a link to a folder, not a file" + cure);
        Files.delete(file);
        Files.createSymbolicLink(file, file.getFileName());
        assertThatThrownBy(this::fetch).hasMessage(file + " is a broken link to toy.zip" + cure);
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("gone"));
        assertThatThrownBy(this::fetch).hasMessage(file + " is a broken link to gone" + cure);
        Files.delete(file);
        Command.of("mkfifo", file.toString()).succeed();
        assertThatThrownBy(this::fetch).hasMessage(file + " is a pipe, socket or device, not a file" + cure);
        assertThat(requests).hasValue(0);
    }

    @Test
    void aPlaceThatCannotBeWrittenIsNamed() throws IOException {
        Files.writeString(folder.resolve("toy"), "in the way");
        assertThatThrownBy(this::fetch)
                .hasMessageStartingWith("cannot download toy: cannot create folder " + folder.resolve("toy") + " (");
    }

    @Test
    void ofManyThreadsOneDownloadsAndTheOthersWait() throws Exception {
        var waiting = new CountDownLatch(3);
        serve((exchange, _) -> {
            await(waiting);
            send(exchange, 200, BYTES);
        });
        Callable<List<Path>> fetch = () -> new Downloads(PATIENT).fetch(published(), folder, new DataProgress() {
            @Override
            public void downloading(String file, long bytes, long totalBytes) {}

            @Override
            public void waiting(String dataset, Path lock) {
                waiting.countDown();
            }
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(List.of(fetch, fetch, fetch, fetch))) {
                assertThat(each.get().getFirst()).hasBinaryContent(BYTES);
            }
        }
        assertThat(requests).hasValue(1);
        assertThat(waiting.getCount()).isZero();
    }

    @Test
    void ofThreeProcessesOneDownloads() throws Exception {
        serve((exchange, _) -> slowly(exchange));
        try (var first = Loading.start("-Xmx64m", folder, address().toString(), sha256(BYTES));
                var second = Loading.start("-Xmx64m", folder, address().toString(), sha256(BYTES));
                var third = Loading.start("-Xmx64m", folder, address().toString(), sha256(BYTES))) {
            for (ChildProcess process : List.of(first, second, third)) {
                assertThat(Loading.outputAtTheEnd(process)).isEqualTo("[" + folder.resolve("toy/toy.zip") + "]");
            }
        }
        assertThat(requests).hasValue(1);
    }

    @Test
    void waitingForAnotherIsBounded() throws IOException {
        var hasty = new Patience(
                1, SHORT.firstPause(), SHORT.connect(), SHORT.answer(), SHORT.stall(), Duration.ofMillis(60));
        Path lock = Files.createDirectories(folder.resolve("toy")).resolve(".lock");
        try (var _ = FolderLock.take(lock, Duration.ZERO, _ -> {})) {
            assertThatThrownBy(() -> new Downloads(hasty).fetch(published(), folder, DataProgress.NONE))
                    .hasMessageStartingWith("another process has held " + lock);
        }
    }

    static Published published(URI address, String sha256) {
        return new Published(
                "toy",
                List.of(new Part(List.of("toy/toy.zip"), "toy.zip", address, Checksum.sha256(sha256), 1_000_000)));
    }

    private Published published() {
        return published(address(), sha256(BYTES));
    }

    private URI address() {
        var at = server.getAddress();
        return URI.create("http://%s:%d/toy.zip".formatted(at.getAddress().getHostAddress(), at.getPort()));
    }

    private List<Path> fetch() throws IOException {
        return new Downloads(SHORT).fetch(published(), folder, DataProgress.NONE);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("toy"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void serve(Answer answer) {
        server.createContext("/toy.zip", exchange -> answer.give(exchange, requests.incrementAndGet()));
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("nobody waits");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// Takes a fifth of a second, so that the other download starts in the meantime.
    private static void slowly(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, BYTES.length);
        try (var out = exchange.getResponseBody()) {
            for (int start = 0; start < BYTES.length; start += BYTES.length / 4) {
                out.write(Arrays.copyOfRange(BYTES, start, start + BYTES.length / 4));
                out.flush();
                Thread.sleep(50);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static String sha256(byte[] bytes) {
        var digest = Checksum.sha256("").start();
        digest.update(bytes);
        return Checksum.toHex(digest);
    }

    private static byte[] bytes() {
        var bytes = new byte[100_000];
        new Random(3).nextBytes(bytes);
        return bytes;
    }
}
