package dev.cairn.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.store.StorageUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Credentials as in Kubernetes pods: a file with a token, which the token service exchanges for keys. This test runs
/// one server as token service and storage.
class WebIdentityTest {
    private static final String ROLE = "arn:aws:iam::123456789012:role/training";

    @TempDir
    Path folder;

    private final Map<String, @Nullable String> before = new HashMap<>();
    private final List<String> exchanged = new CopyOnWriteArrayList<>();
    private final List<String> signed = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::exchange);
        server.createContext("/bucket", this::list);
        server.start();
        Clients.useMadeUpCredentials(); // once, so that no other test does it later
        Path token = Files.writeString(folder.resolve("token"), "the-pods-token");
        set("aws.accessKeyId", null);
        set("aws.secretAccessKey", null);
        set("aws.disableEc2Metadata", "true");
        set("aws.roleArn", ROLE);
        set("aws.roleSessionName", "cairn");
        set("aws.webIdentityTokenFile", token.toString());
        set("aws.endpointUrlSts", endpoint());
        set("aws.region", "eu-central-1");
    }

    @AfterEach
    void stop() {
        server.stop(0);
        before.forEach(WebIdentityTest::put);
    }

    @Test
    void tokensAreExchangedForTheKeysThatRequestsAreSignedWith() throws IOException {
        try (S3BlobStore store = Clients.store(URI.create(endpoint()), "run")) {
            assertThat(store.list("log")).isEmpty();
        }
        assertThat(exchanged)
                .singleElement()
                .asString()
                .contains("Action=AssumeRoleWithWebIdentity", "RoleArn=" + ROLE, "WebIdentityToken=the-pods-token");
        assertThat(signed)
                .isNotEmpty()
                .allSatisfy(request -> assertThat(request).contains("Credential=ASIAOFTHEROLE/", "token=of-the-role"));
    }

    @Test
    void aRoleThatIsRefusedIsNotTakenForAnEmptyRun() {
        set("aws.roleArn", "arn:aws:iam::123456789012:role/another");
        try (S3BlobStore store = Clients.store(URI.create(endpoint()), "run")) {
            assertThatThrownBy(() -> store.list("log"))
                    .isInstanceOf(StorageUnavailableException.class)
                    .hasMessageContaining("could not be exchanged for credentials; check AWS_ROLE_ARN");
        }
        assertThat(signed).isEmpty();
    }

    private void exchange(HttpExchange http) throws IOException {
        String form = URLDecoder.decode(new String(http.getRequestBody().readAllBytes(), UTF_8), UTF_8);
        exchanged.add(form);
        if (!form.contains("RoleArn=" + ROLE)) {
            answer(http, 403, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>");
            return;
        }
        answer(http, 200, """
                <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                  <AssumeRoleWithWebIdentityResult>
                    <Credentials>
                      <AccessKeyId>ASIAOFTHEROLE</AccessKeyId>
                      <SecretAccessKey>secret</SecretAccessKey>
                      <SessionToken>of-the-role</SessionToken>
                      <Expiration>2199-01-01T00:00:00Z</Expiration>
                    </Credentials>
                  </AssumeRoleWithWebIdentityResult>
                </AssumeRoleWithWebIdentityResponse>""");
    }

    private void list(HttpExchange http) throws IOException {
        signed.add(http.getRequestHeaders().getFirst("Authorization") + " token="
                + http.getRequestHeaders().getFirst("X-Amz-Security-Token"));
        answer(http, 200, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
    }

    private static void answer(HttpExchange http, int status, String body) throws IOException {
        try (http) {
            byte[] bytes = body.getBytes(UTF_8);
            http.getResponseHeaders().set("Content-Type", "text/xml");
            http.sendResponseHeaders(status, bytes.length);
            http.getResponseBody().write(bytes);
        }
    }

    private String endpoint() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private void set(String property, @Nullable String value) {
        before.putIfAbsent(property, System.getProperty(property));
        put(property, value);
    }

    private static void put(String property, @Nullable String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }
}
