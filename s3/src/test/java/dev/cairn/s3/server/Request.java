package dev.cairn.s3.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A complete request of a client.
final class Request {
    private final String method;
    private final String bucket;
    private final String key;
    private final Map<String, String> query;
    private final Map<String, String> headers;
    private final byte[] body;

    private Request(
            String method,
            String bucket,
            String key,
            Map<String, String> query,
            Map<String, String> headers,
            byte[] body) {
        this.method = method;
        this.bucket = bucket;
        this.key = key;
        this.query = query;
        this.headers = headers;
        this.body = body;
    }

    String method() {
        return method;
    }

    String bucket() {
        return bucket;
    }

    /// The key of the object; empty for the bucket itself.
    String key() {
        return key;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    static Request read(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", 3);
        var headers = new HashMap<String, String>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        return new Request(
                exchange.getRequestMethod(),
                path[1],
                path.length < 3 ? "" : path[2],
                parse(exchange.getRequestURI().getRawQuery()),
                headers,
                exchange.getRequestBody().readAllBytes());
    }

    private static Map<String, String> parse(@Nullable String text) {
        var query = new HashMap<String, String>();
        if (text != null) {
            for (String each : text.split("&", -1)) {
                String[] pair = each.split("=", 2);
                query.put(pair[0], pair.length < 2 ? "" : URLDecoder.decode(pair[1], UTF_8));
            }
        }
        return query;
    }

    /// The kind of the request, for messages and plans.
    String kind() {
        if (key.isEmpty()) {
            return query.containsKey("uploads") ? "LIST-UPLOADS" : "LIST";
        }
        if (query.containsKey("uploads")) {
            return "BEGIN";
        }
        if (query.containsKey("uploadId")) {
            return switch (method) {
                case "PUT" -> "PART";
                case "POST" -> "COMPLETE";
                default -> "ABORT";
            };
        }
        return method;
    }

    boolean onlyIfAbsent() {
        return "*".equals(headers.get("if-none-match"));
    }

    String query(String name) {
        return query.getOrDefault(name, "");
    }
}
