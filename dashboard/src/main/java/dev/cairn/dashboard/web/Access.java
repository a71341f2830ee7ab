package dev.cairn.dashboard.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Who may ask. On the loopback address, everybody on this host may, but only under a name that means this host: a page
/// of another site whose name leads here (DNS rebinding) is refused. On other addresses, a request needs the token too.
/// What a page of another site asks for is refused everywhere.
final class Access {
    /// The name of the cookie that has the token.
    static final String COOKIE = "cairn";

    private static final int TOKEN_BYTES = 32;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern IP_ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-fA-F:.]+]");

    private final Set<String> hosts;
    private final boolean anyAddress;
    private final @Nullable String token;

    private Access(Set<String> hosts, boolean anyAddress, @Nullable String token) {
        this.hosts = hosts;
        this.anyAddress = anyAddress;
        this.token = token;
    }

    /// Access from this host only.
    static Access loopback() {
        return new Access(LOOPBACK, false, null);
    }

    /// Access from elsewhere, with a new token.
    ///
    /// @param names what this host is called, such as the address that the server listens at
    static Access withToken(Set<String> names) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new Access(names, true, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /// The token; empty if none is needed.
    Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /// What a request says about where it comes from.
    ///
    /// @param host the header `Host`
    /// @param origin the header `Origin`
    /// @param site the header `Sec-Fetch-Site`, which browsers write and pages cannot
    /// @param opensPage whether the request opens a page, as a click on a link does
    record Request(
            @Nullable String host,
            @Nullable String origin,
            @Nullable String site,
            boolean opensPage) {}

    /// Why a request is refused, whatever its token; empty if it is not.
    Optional<String> refusal(Request request) {
        String host = request.host();
        if (host == null || !isThisHost(nameOf(host))) {
            return Optional.of(
                    "this dashboard has another name: open it at the address that 'cairn dashboard' printed");
        }
        if (request.origin() != null && !request.origin().equalsIgnoreCase("http://" + host)) {
            return Optional.of("requests of other sites are refused");
        }
        String site = request.site();
        boolean own = site == null || site.equals("same-origin") || site.equals("none");
        return own || request.opensPage() ? Optional.empty() : Optional.of("requests of other sites are refused");
    }

    private boolean isThisHost(String name) {
        return hosts.contains(name) || (anyAddress && IP_ADDRESS.matcher(name).matches());
    }

    /// The host without its port.
    private static String nameOf(String host) {
        int colon = host.lastIndexOf(':');
        boolean port = colon > 0
                && host.indexOf(']', colon) < 0
                && host.substring(colon + 1).matches("[0-9]{1,5}");
        return (port ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }

    /// Whether any of these is the token. The time that this takes does not tell how much of it is right.
    boolean isTrusted(@Nullable String... given) {
        String right = token;
        if (right == null) {
            return true;
        }
        byte[] expected = right.getBytes(UTF_8);
        return Arrays.stream(given)
                .map(text -> text != null && MessageDigest.isEqual(expected, text.getBytes(UTF_8)))
                .reduce(false, Boolean::logicalOr);
    }
}
