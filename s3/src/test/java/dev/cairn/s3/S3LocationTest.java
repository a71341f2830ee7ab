package dev.cairn.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3LocationTest {
    @Test
    void readsBucketAndPrefix() {
        assertThat(S3Location.parse("s3://bucket/runs/first/")).isEqualTo(new S3Location("bucket", "runs/first"));
        assertThat(S3Location.parse("s3://bucket")).isEqualTo(new S3Location("bucket", ""));
        assertThat(S3Location.parse("s3://bucket/")).isEqualTo(new S3Location("bucket", ""));
        assertThat(S3Location.parse("s3://my.bucket-1/a")).hasToString("s3://my.bucket-1/a");
        assertThat(new S3Location("bucket", "").key("log/1")).isEqualTo("log/1");
        assertThat(new S3Location("bucket", "a/b").name("a/b/log/1")).isEqualTo("log/1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bucket/run",
                "s3:/bucket/run",
                "s3://",
                "s3:///run",
                "s3://b",
                "s3://bucket//run",
                "s3://bucket/a/../b",
                "s3://bucket/.",
                "s3://bu cket/run",
                "s3://bucket/run?x=1",
                "s3://bucket/a\nb",
                "https://bucket/run"
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> S3Location.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not of the form s3://bucket/prefix");
    }
}
