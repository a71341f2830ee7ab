package dev.cairn.s3;

import dev.cairn.s3.S3Options.Addressing;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/// Creates the client of the SDK. The client never waits without limit, retries a limited number of times, and sends
/// nothing that servers other than AWS do not understand.
final class S3Connection {
    private S3Connection() {}

    static S3Client open(S3Options options) {
        Patience patience = options.patience();
        StandardRetryStrategy retries = AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(patience.attempts())
                // A reply that was cut off within its XML.
                .retryOnExceptionOrCauseInstanceOf(XMLStreamException.class)
                .backoffStrategy(BackoffStrategy.exponentialDelay(patience.firstPause(), patience.longestPause()))
                .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(
                        patience.firstPause().multipliedBy(2), patience.longestPause()))
                .build();
        var client = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(patience.connect())
                        .socketTimeout(patience.silence()))
                .credentialsProvider(DefaultCredentialsProvider.builder().build())
                .region(region(options))
                .forcePathStyle(options.addressing() == Addressing.PATH)
                // Send bodies unchanged: not every server supports the chunked encoding of the SDK.
                .serviceConfiguration(settings -> settings.chunkedEncodingEnabled(false))
                // Cairn sends its own checksum with everything that it writes, and checks everything that it reads.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(settings -> settings.retryStrategy(retries)
                        .addExecutionInterceptor(new WholeReplies())
                        .apiCallAttemptTimeout(patience.attempt())
                        .apiCallTimeout(patience.call()));
        options.endpoint()
                .ifPresentOrElse(
                        client::endpointOverride,
                        () -> client.crossRegionAccessEnabled(options.region().isEmpty()));
        return client.build();
    }

    /// Settings of a request that transfers this many bytes.
    static Consumer<AwsRequestOverrideConfiguration.Builder> moving(Patience patience, long bytes) {
        Duration attempt = patience.attempt(bytes);
        Duration call = patience.call(bytes);
        return settings -> settings.apiCallAttemptTimeout(attempt).apiCallTimeout(call);
    }

    /// Servers other than AWS usually accept any region, so the machine's role is not asked for it.
    private static Region region(S3Options options) {
        Optional<String> named = options.region();
        if (named.isPresent()) {
            return Region.of(named.get());
        }
        AwsRegionProvider providers = options.endpoint().isPresent()
                ? new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                : DefaultAwsRegionProviderChain.builder().build();
        try {
            Region found = providers.getRegion();
            return found == null ? Region.US_EAST_1 : found;
        } catch (SdkClientException unset) {
            return Region.US_EAST_1;
        }
    }
}
