package dev.cairn.train.data.fetch;

import dev.cairn.store.Clock;
import dev.cairn.train.data.fetch.Published.Part;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The download of one file from its address to the disk. Every attempt starts from the beginning.
record Download(HttpClient client, Part part, Path folder, Patience patience) {
    private static final int OK = 200;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERRORS = 500;
    private static final long TELL_MILLIS = 100;

    /// Thrown if the server would give the same answer to another attempt.
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /// The exception for data that cannot be stored: neither the server nor another attempt can help.
    static DataUnavailableException unwritable(Path path, IOException cause) {
        String reason = cause instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(cause.getMessage());
        return new DataUnavailableException(
                "cannot write %s: %s".formatted(path, reason), "free some space", "a folder that has it", cause);
    }

    String file() {
        return part.file();
    }

    void run(DataProgress progress) throws IOException {
        Path target = folder.resolve(file());
        Path unfinished = folder.resolve(file() + ".part");
        try {
            MessageDigest digest = part.checksum().start();
            try (FileChannel channel = open(unfinished)) {
                receive(new Receiver(channel, unfinished, digest, part.mostBytes()), progress);
                force(channel, unfinished);
            }
            String found = Checksum.toHex(digest);
            if (!part.checksum().matches(found)) {
                throw new IOException("checksum does not match: %s expected=%s actual=%s"
                        .formatted(part.checksum().algorithm(), part.checksum().hex(), found));
            }
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static FileChannel open(Path unfinished) throws DataUnavailableException {
        try {
            return FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw unwritable(unfinished, e);
        }
    }

    /// A disk that detects late that it is full reports it here.
    private static void force(FileChannel channel, Path unfinished) throws DataUnavailableException {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw unwritable(unfinished, e);
        }
    }

    /// Waits here and not in the receiver, so that a silent server is noticed.
    private void receive(Receiver receiver, DataProgress progress) throws IOException {
        var request = HttpRequest.newBuilder(part.address())
                .timeout(patience.answer())
                .header("User-Agent", "cairn")
                .build();
        var total = new CompletableFuture<Long>();
        var answer = client.sendAsync(request, info -> {
            if (info.statusCode() != OK) {
                return BodySubscribers.replacing(0L);
            }
            total.complete(info.headers().firstValueAsLong("Content-Length").orElse(-1));
            return receiver;
        });
        try {
            long seen = 0;
            long since = Clock.system().nanos();
            while (true) {
                try {
                    check(answer.get(TELL_MILLIS, TimeUnit.MILLISECONDS));
                    progress.downloading(file(), receiver.received(), receiver.received());
                    return;
                } catch (TimeoutException _) {
                    if (total.isDone()) {
                        progress.downloading(file(), receiver.received(), total.join());
                    }
                }
                long now = Clock.system().nanos();
                if (receiver.received() != seen || !total.isDone()) { // until then the limits of the request apply
                    seen = receiver.received();
                    since = now;
                } else if (now - since > patience.stall().toNanos()) {
                    throw new IOException("%s sent nothing for %d s"
                            .formatted(host(), patience.stall().toSeconds()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while downloading " + file());
        } catch (ExecutionException e) {
            throw told(e.getCause());
        } finally {
            answer.cancel(true); // has no effect if it has ended
        }
    }

    private void check(HttpResponse<Long> answer) throws IOException {
        int status = answer.statusCode();
        if (status == OK) {
            return;
        }
        String message = "%s answered %d".formatted(host(), status);
        boolean passing = status >= SERVER_ERRORS || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
        throw passing ? new IOException(message) : new RefusedException(message);
    }

    private IOException told(@Nullable Throwable cause) {
        if (cause instanceof RefusedException || cause instanceof DataUnavailableException) {
            return (IOException) cause;
        }
        String message = switch (cause) {
            case HttpConnectTimeoutException _ ->
                "no connection to %s within %d s"
                        .formatted(host(), patience.connect().toSeconds());
            case HttpTimeoutException _ ->
                "no answer from %s within %d s"
                        .formatted(host(), patience.answer().toSeconds());
            case ConnectException _ -> "no connection to " + host();
            case null -> "no answer from " + host();
            default -> "the answer of %s ended early: %s".formatted(host(), cause.getMessage());
        };
        return new IOException(message, cause);
    }

    private String host() {
        return String.valueOf(part.address().getHost());
    }
}
