package dev.cairn.s3.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;

/// A reply of the server.
final class Reply {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    Reply(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    /// The same reply with one flipped bit in the middle of its body.
    Reply flipped() {
        byte[] other = body.clone();
        if (other.length > 0) {
            other[other.length / 2] ^= 4;
        }
        return new Reply(status, headers, other);
    }

    static Reply ok(Map<String, String> headers) {
        return new Reply(200, headers, new byte[0]);
    }

    static Reply xml(String body) {
        return new Reply(200, Map.of("Content-Type", "application/xml"), body.getBytes(UTF_8));
    }

    static Reply error(int status, String code) {
        return new Reply(
                status,
                Map.of("Content-Type", "application/xml"),
                "<Error><Code>%s</Code><Message>%s</Message></Error>"
                        .formatted(code, code)
                        .getBytes(UTF_8));
    }
}
