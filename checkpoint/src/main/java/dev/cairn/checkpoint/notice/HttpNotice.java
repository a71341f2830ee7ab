package dev.cairn.checkpoint.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.store.Clock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A metadata address, as spot machines have one, that is queried every few seconds. Status 200 is a notice,
/// unless the response is `FALSE` or `NONE`; any other status is not a notice. A `"time"` in the response is the
/// end of the machine. The training never waits for the response. For one thread, except for [#close].
///
/// If the address requires a token (401), the token is fetched from `/latest/api/token` on the same host, as on
/// EC2.
public final class HttpNotice implements NoticeSource {
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final long LARGEST_ANSWER = 64 << 10;
    private static final Set<String> NO = Set.of("FALSE", "NONE");
    private static final Pattern TIME = Pattern.compile("\"time\"\\s*:\\s*\"([^\"]{1,40})\"");
    private static final String TOKEN = "X-aws-ec2-metadata-token";
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final URI address;
    private final Clock time;
    private final Consumer<String> warn;
    private final HttpClient client;
    private @Nullable CompletableFuture<HttpResponse<String>> asked;
    private @Nullable Long askedNanos;
    private volatile @Nullable String token;
    private boolean warned;
    private boolean told;

    /// Queries this address.
    ///
    /// @param warn receives one warning if the address does not answer, or answers unexpectedly
    public HttpNotice(URI address, Clock time, Consumer<String> warn) {
        this.address = address;
        this.time = time;
        this.warn = warn;
        // The address belongs to this machine: a proxy would answer for another one.
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(LONGEST)
                .build();
    }

    @Override
    public Optional<Notice> poll() {
        CompletableFuture<HttpResponse<String>> waiting = asked;
        if (told || (waiting != null && !waiting.isDone())) {
            return Optional.empty();
        }
        if (waiting == null) {
            if (askedNanos == null || time.nanos() - askedNanos >= INTERVAL.toNanos()) {
                askedNanos = time.nanos();
                asked = ask();
            }
            return Optional.empty();
        }
        asked = null;
        try {
            Optional<Notice> notice = judge(waiting.join());
            told = notice.isPresent();
            return notice;
        } catch (CompletionException | CancellationException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            warnOnce("does not answer: " + cause);
            return Optional.empty();
        }
    }

    /// Does not wait: a later response is ignored.
    @Override
    public void close() {
        client.shutdownNow();
    }

    boolean isAsking() {
        return asked != null;
    }

    private CompletableFuture<HttpResponse<String>> ask() {
        return get().thenCompose(answer -> answer.statusCode() == UNAUTHORIZED
                ? fetchToken().thenCompose(_ -> get())
                : CompletableFuture.completedFuture(answer));
    }

    private CompletableFuture<HttpResponse<String>> get() {
        var request = HttpRequest.newBuilder(address).timeout(LONGEST).header("Metadata-Flavor", "Google");
        String known = token;
        if (known != null) {
            request.header(TOKEN, known);
        }
        return send(request.GET().build());
    }

    private CompletableFuture<Void> fetchToken() {
        var request = HttpRequest.newBuilder(address.resolve("/latest/api/token"))
                .timeout(LONGEST)
                .header(TOKEN + "-ttl-seconds", "21600")
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        return send(request).thenAccept(answer -> {
            String body = answer.body().strip();
            // Only characters that are allowed in a header.
            boolean usable = answer.statusCode() == OK && body.matches("[!-~]{1,1000}");
            token = usable ? body : null;
        });
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(UTF_8), LARGEST_ANSWER));
    }

    private Optional<Notice> judge(HttpResponse<String> answer) {
        if (answer.statusCode() != OK) {
            if (answer.statusCode() != NOT_FOUND) {
                warnOnce("answers with status " + answer.statusCode());
            }
            return Optional.empty();
        }
        if (NO.contains(answer.body().strip().toUpperCase(Locale.ROOT))) {
            return Optional.empty();
        }
        return Optional.of(new Notice("address " + address, timeLeft(answer.body()), false));
    }

    private @Nullable Duration timeLeft(String body) {
        Matcher matcher = TIME.matcher(body);
        if (!matcher.find()) {
            return null;
        }
        try {
            return Duration.between(time.now(), Instant.parse(matcher.group(1)));
        } catch (DateTimeException unknownForm) {
            return null;
        }
    }

    private void warnOnce(String what) {
        if (!warned) {
            warned = true;
            warn.accept("notice address %s %s".formatted(address, what));
        }
    }
}
