package dev.cairn.dashboard.web;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What every request passes before it is answered: rate, origin, method, size and token, in this order.
final class Gate {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            POLICY,
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private static final String BEARER = "Bearer ";

    private final Access access;
    private final RateLimit rate;

    Gate(Access access, RateLimit rate) {
        this.access = access;
        this.rate = rate;
    }

    /// Answers the request here if it may not pass.
    void check(Context request) {
        HEADERS.forEach(request::header);
        if (rate.isTooMuch(request.ip())) {
            refuse(request, 429, "too many requests; wait a moment");
            return;
        }
        boolean opensPage = "navigate".equals(request.header("Sec-Fetch-Mode"))
                && request.path().equals("/");
        Optional<String> refusal = access.refusal(new Access.Request(
                request.header("Host"), request.header("Origin"), request.header("Sec-Fetch-Site"), opensPage));
        if (refusal.isPresent()) {
            refuse(request, 403, refusal.get());
        } else if (!request.method().equals(HandlerType.GET)) {
            refuse(request, 405, "the dashboard only reads");
        } else if (hasContent(request)) {
            request.header("Connection", "close");
            refuse(request, 413, "requests have no content");
        } else if (!access.isTrusted(request.cookie(Access.COOKIE), bearer(request))) {
            enter(request);
        }
    }

    private static boolean hasContent(Context request) {
        String length = request.header("Content-Length");
        return (length != null && !length.equals("0")) || request.header("Transfer-Encoding") != null;
    }

    /// Takes the token of the address that was printed, and keeps it in a cookie, so that it leaves the address.
    private void enter(Context request) {
        String given = request.path().equals("/") ? request.queryParam("token") : null;
        if (access.isTrusted(given)) {
            request.header("Set-Cookie", "%s=%s; Path=/; HttpOnly; SameSite=Lax".formatted(Access.COOKIE, given));
            request.header("Location", "/");
            refuse(request, 303, "");
        } else {
            refuse(request, 401, "open the dashboard at the address that 'cairn dashboard' printed: it has a token");
        }
    }

    private static @Nullable String bearer(Context request) {
        String header = request.header("Authorization");
        return header != null && header.startsWith(BEARER) ? header.substring(BEARER.length()) : null;
    }

    private static void refuse(Context request, int status, String reason) {
        request.status(status).contentType("text/plain; charset=utf-8").result(reason);
        request.skipRemainingHandlers();
    }
}
