package dev.cairn.dashboard.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.dashboard.web.Access.Request;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private final Access loopback = Access.loopback();
    private final Access token = Access.withToken(Set.of("trainer"));

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
                    localhost:8080,   -,                      -,            false, true
                    127.0.0.1:8080,   http://127.0.0.1:8080,  same-origin,  false, true
                    [::1]:8080,       -,                      none,         false, true
                    LOCALHOST,        -,                      -,            false, true
                    -,                -,                      -,            false, false
                    evil.com:8080,    -,                      -,            false, false
                    localhost.evil.com, -,                    -,            false, false
                    127.0.0.1.evil.com:8080, -,               -,            false, false
                    192.168.0.7:8080, -,                      -,            false, false
                    localhost:8080,   http://evil.com,        -,            false, false
                    localhost:8080,   null,                   -,            false, false
                    localhost:8080,   https://localhost:8080, -,            false, false
                    localhost:8080,   http://localhost:9090,  -,            false, false
                    localhost:8080,   -,                      cross-site,   false, false
                    localhost:8080,   -,                      same-site,    false, false
                    localhost:8080,   -,                      cross-site,   true,  true
                    """)
    void onTheLoopbackAddressOnlyItsOwnPagesMayAsk(
            String host, String origin, String site, boolean opensPage, boolean passes) {
        assertThat(loopback.refusal(new Request(host, origin, site, opensPage)).isEmpty())
                .isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "trainer:80, true",
        "192.168.0.7:80, true",
        "[fe80::1]:80, true",
        "evil.com:80, false",
        "1.2.3.4.evil.com, false"
    })
    void elsewhereANameOfTheHostOrAnAddressIsNeeded(String host, boolean passes) {
        assertThat(token.refusal(new Request(host, null, null, false)).isEmpty())
                .isEqualTo(passes);
    }

    @Test
    void onlyTheTokenIsTrusted() {
        String right = token.token().orElseThrow();
        assertThat(right).hasSizeGreaterThanOrEqualTo(43);
        assertThat(token.isTrusted(null, right)).isTrue();
        assertThat(token.isTrusted(null, null)).isFalse();
        assertThat(token.isTrusted("", right + "x", right.substring(1), right.toUpperCase(java.util.Locale.ROOT)))
                .isFalse();
        assertThat(Access.withToken(Set.of()).token()).isNotEqualTo(token.token());
        assertThat(loopback.token()).isEmpty();
        assertThat(loopback.isTrusted((String) null)).isTrue();
    }
}
