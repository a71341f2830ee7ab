package dev.cairn.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.s3.S3Options.Addressing;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageSettings;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3StorageTest {
    private static final StorageSettings NONE = StorageSettings.none();

    @Test
    void isFoundByItsScheme() throws IOException {
        try (var store = (S3BlobStore)
                RunLocation.parse("s3://bucket/runs/a b/").blobs(NONE.with("endpoint", "http://localhost:1"))) {
            assertThat(store.place()).isEqualTo("s3://bucket/runs/a b");
        }
    }

    @Test
    void readsItsSettings() {
        assertThat(S3Storage.options(NONE)).isEqualTo(S3Options.usual());
        StorageSettings all = NONE.with(S3Storage.ENDPOINT, "http://minio:9000")
                .with(S3Storage.REGION, "eu-central-1")
                .with(S3Storage.PATH_STYLE, "true");
        assertThat(S3Storage.options(all))
                .isEqualTo(S3Options.usual()
                        .withEndpoint(URI.create("http://minio:9000"))
                        .withRegion("eu-central-1")
                        .withAddressing(Addressing.PATH));
    }

    @ParameterizedTest
    @CsvSource({
        "endpoint, minio:9000, endpoint 'minio:9000' is not of the form https://host:port",
        "endpoint, http://a b, endpoint 'http://a b' is not of the form https://host:port",
        "endpoint, http://a:99999, endpoint 'http://a:99999' is not of the form https://host:port",
        "path-style, yes, 'path-style is true or false, not ''yes'''",
        "colour, red, 'unknown storage setting ''colour''; known: endpoint, path-style, region'"
    })
    void refusesOtherSettings(String name, String value, String problem) {
        assertThatThrownBy(() -> S3Storage.options(NONE.with(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:///run", "s3://b", "s3://bucket/a/../b", "s3://bucket/run?x=1", "s3://bucket/ü"})
    void refusesPlacesThatNoBucketHas(String text) {
        assertThatThrownBy(() -> RunLocation.parse(text).blobs())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'%s' is not of the form s3://bucket/prefix".formatted(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3:bucket", "s3:/bucket/run"})
    void oneSlashTooFewIsNotAFolder(String text) {
        assertThatThrownBy(() -> RunLocation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not of the form s3://");
    }
}
