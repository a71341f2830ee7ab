package dev.cairn.dashboard.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;

/// Server-sent events: tells a page when there is something new, and nothing else. The page then asks for what it
/// shows.
/// So nothing piles up for a page that is slow, and one that is gone holds only its own thread, until a write fails.
final class LiveFeed {
    private static final int MOST_CLIENTS = 64;
    private static final long PAUSE_MILLIS = 1000;
    private static final int SILENT_ROUNDS = 2;

    private final AtomicInteger clients = new AtomicInteger();
    private volatile boolean closed;

    /// Waits for a change.
    interface Changes {
        /// Returns a number that is larger than this one if something has changed, at the latest after so long.
        long await(long seen, long millis) throws InterruptedException;
    }

    /// Takes a place; false if there is none left.
    boolean enter() {
        if (clients.incrementAndGet() > MOST_CLIENTS) {
            clients.decrementAndGet();
            return false;
        }
        return true;
    }

    /// Gives the place back.
    void leave() {
        clients.decrementAndGet();
    }

    /// How many places are taken.
    int clients() {
        return clients.get();
    }

    /// Writes until the client is gone or the server is closed.
    void write(OutputStream out, Changes changes) throws IOException, InterruptedException {
        send(out, "retry: 1000\n\n");
        long seen = -1;
        int silent = 0;
        while (!closed) {
            long now = changes.await(seen, PAUSE_MILLIS);
            if (now > seen) {
                send(out, "data: " + now + "\n\n");
                seen = now;
                silent = 0;
            } else if (++silent >= SILENT_ROUNDS) {
                send(out, ": still here\n\n"); // so that a client that is gone is noticed
                silent = 0;
            }
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    void close() {
        closed = true;
    }
}
