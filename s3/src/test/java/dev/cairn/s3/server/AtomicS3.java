package dev.cairn.s3.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An S3 server in this process. It supports only the requests that Cairn sends, and its conditions are atomic. Every
/// client may have its own [Door], where its requests fail as planned or its process is dead.
public final class AtomicS3 implements AutoCloseable {
    static {
        // A reply goes out in two pieces; the second must not wait until the first is acknowledged.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final long SLOW_MILLIS = 20;
    private static final long LATE_MILLIS = 30;

    private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Door open;

    /// Starts a server with one empty bucket.
    public AtomicS3(String bucket) throws IOException {
        buckets.put(bucket, new Bucket());
        open = door((kind, key) -> Fault.NONE);
    }

    /// Decides the fault of each request. May be called on any thread.
    public interface Plan {
        /// The fault of this request.
        ///
        /// @param kind PUT, PART, COMPLETE, GET, HEAD, DELETE or LIST
        Fault next(String kind, String key);
    }

    /// The address where requests do not fail.
    public URI endpoint() {
        return open.endpoint();
    }

    /// Opens another door to the server.
    public Door door(Plan plan) throws IOException {
        return new Door(plan);
    }

    /// All keys of a bucket.
    public List<String> keys(String bucket) {
        return bucket(bucket).keys();
    }

    /// The number of uploads that are neither complete nor aborted.
    public int uploads(String bucket) {
        return bucket(bucket).uploads();
    }

    /// Stores an object with these bytes, whether one exists or not.
    public void put(String bucket, String key, byte[] content) {
        bucket(bucket).put(key, content);
    }

    /// The bytes of an object.
    public byte[] content(String bucket, String key) {
        return bucket(bucket).content(key);
    }

    /// Removes all objects and uploads.
    public void clear(String bucket) {
        bucket(bucket).clear();
    }

    private Bucket bucket(String name) {
        Bucket bucket = buckets.get(name);
        if (bucket == null) {
            throw new AssertionError("no bucket " + name);
        }
        return bucket;
    }

    @Override
    public void close() {
        open.close();
        threads.shutdownNow();
    }

    /// A port of the server.
    public final class Door implements AutoCloseable {
        private final Plan plan;
        private HttpServer http;
        private volatile boolean dead;

        private Door(Plan plan) throws IOException {
            this.plan = plan;
            this.http = open(0);
        }

        private HttpServer open(int port) throws IOException {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
            return server;
        }

        /// Closes the port: the server itself is dead.
        public void shut() {
            http.stop(0);
        }

        /// Opens the port again, with the same number and all objects.
        public void reopen() throws IOException {
            http = open(http.getAddress().getPort());
        }

        /// The address of this door.
        public URI endpoint() {
            return URI.create("http://localhost:" + http.getAddress().getPort());
        }

        /// Lets no request through from now on: the client's process is dead or cut off.
        public void kill() {
            dead = true;
        }

        /// Lets requests through again from now on.
        public void revive() {
            dead = false;
        }

        @Override
        public void close() {
            shut();
        }

        private void answer(HttpExchange exchange) throws IOException {
            try (exchange) {
                Request request = Request.read(exchange);
                if (dead) {
                    return;
                }
                Fault fault = plan.next(request.kind(), request.key());
                switch (fault) {
                    case NONE -> send(exchange, request, handle(request), 1);
                    case ERROR -> send(exchange, request, Reply.error(500, "InternalError"), 1);
                    case SLOW_DOWN -> send(exchange, request, Reply.error(503, "SlowDown"), 1);
                    case EXPIRED -> send(exchange, request, Reply.error(403, "ExpiredToken"), 1);
                    case CUT_BEFORE -> {}
                    case CUT_AFTER -> handle(request);
                    case LATE ->
                        threads.execute(() -> {
                            pause(LATE_MILLIS);
                            handle(request);
                        });
                    case SLOW -> {
                        pause(SLOW_MILLIS);
                        send(exchange, request, handle(request), 1);
                    }
                    case TRUNCATED -> send(exchange, request, handle(request), 2);
                    case BODILESS -> send(exchange, request, handle(request), Integer.MAX_VALUE);
                    case EMPTY -> send(exchange, request, Reply.ok(Map.of()), 1);
                    case FLIPPED -> send(exchange, request, handle(request).flipped(), 1);
                }
            }
        }

        /// @param divisor 1 for the whole body, 2 for half of it, more for less
        private static void send(HttpExchange exchange, Request request, Reply reply, int divisor) throws IOException {
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            if (request.method().equals("HEAD") || reply.body().length == 0) {
                exchange.sendResponseHeaders(reply.status(), -1);
                return;
            }
            exchange.sendResponseHeaders(reply.status(), reply.body().length);
            OutputStream body = exchange.getResponseBody();
            body.write(reply.body(), 0, reply.body().length / divisor);
            body.flush();
        }
    }

    private Reply handle(Request request) {
        Bucket bucket = buckets.get(request.bucket());
        return bucket == null ? Reply.error(404, "NoSuchBucket") : bucket.handle(request);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
