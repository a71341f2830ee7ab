package dev.cairn.tensorflow.queues;

import dev.cairn.engine.group.BrokenGroupException;
import dev.cairn.tensorflow.runtime.TensorFlowException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Calls to a server in another process. If that is gone, TensorFlow waits for it to come back, for as long
/// as the session allows. So the calls are made on a thread of their own, which is left behind when somebody
/// else knows that the server is gone. It ends when the time of its session is over.
public final class ServerCalls {
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("cairn-client").daemon(true).factory());
    private @Nullable CompletableFuture<?> now;
    private boolean abandoned;

    /// Makes a call, and waits for its result.
    ///
    /// @throws BrokenGroupException if the server is gone, or these calls are abandoned
    public <T> T make(Supplier<T> call) {
        var result = new CompletableFuture<T>();
        synchronized (this) {
            if (abandoned) {
                throw broken(new IllegalStateException());
            }
            now = result;
        }
        thread.execute(() -> {
            try {
                result.complete(call.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof TensorFlowException failed && !failed.isOfAnotherProcess()) {
                throw failed;
            }
            if (cause instanceof TensorFlowException || cause instanceof BrokenGroupException) {
                throw broken(cause);
            }
            throw e;
        }
    }

    private static BrokenGroupException broken(Throwable cause) {
        return new BrokenGroupException("the server is gone, or another worker is", cause);
    }

    /// Ends the present call and all later ones at once, from any thread.
    public synchronized void abandon() {
        abandoned = true;
        if (now != null) {
            now.completeExceptionally(broken(new IllegalStateException()));
        }
    }

    /// Ends the thread after its present call.
    ///
    /// @param last what it does before that
    public void end(Runnable last) {
        thread.execute(last);
        thread.shutdown();
    }
}
