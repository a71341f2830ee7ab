package dev.cairn.train.data.fetch;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/// Writes the body of an answer to a file and hashes it at the same time. The progress can be read on any thread.
final class Receiver implements BodySubscriber<Long> {
    private final FileChannel file;
    private final Path path;
    private final MessageDigest digest;
    private final long mostBytes;
    private final CompletableFuture<Long> done = new CompletableFuture<>();
    private @Nullable Subscription subscription;
    private volatile long received;

    /// @param path the path of the file, for messages
    Receiver(FileChannel file, Path path, MessageDigest digest, long mostBytes) {
        this.file = file;
        this.path = path;
        this.digest = digest;
        this.mostBytes = mostBytes;
    }

    long received() {
        return received;
    }

    @Override
    public CompletionStage<Long> getBody() {
        return done;
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        try {
            for (ByteBuffer buffer : buffers) {
                long after = received + buffer.remaining();
                if (after > mostBytes) {
                    throw new Download.RefusedException("more than %d bytes".formatted(mostBytes));
                }
                digest.update(buffer.duplicate());
                write(buffer);
                received = after;
            }
        } catch (IOException e) {
            if (subscription != null) {
                subscription.cancel();
            }
            done.completeExceptionally(e);
        }
    }

    private void write(ByteBuffer buffer) throws DataUnavailableException {
        try {
            while (buffer.hasRemaining()) {
                file.write(buffer);
            }
        } catch (IOException e) {
            throw Download.unwritable(path, e);
        }
    }

    @Override
    public void onError(Throwable cause) {
        done.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        done.complete(received);
    }
}
