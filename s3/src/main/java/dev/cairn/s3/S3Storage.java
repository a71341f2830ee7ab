package dev.cairn.s3;

import dev.cairn.s3.S3Options.Addressing;
import dev.cairn.store.blob.BlobStore;
import dev.cairn.store.location.RunLocation;
import dev.cairn.store.location.StorageProvider;
import dev.cairn.store.location.StorageSettings;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/// Runs at `s3://bucket/prefix`. Settings, all optional: [#ENDPOINT], [#REGION] and [#PATH_STYLE].
public final class S3Storage implements StorageProvider {
    /// The server, if it is not AWS, such as `http://minio:9000`.
    public static final String ENDPOINT = "endpoint";

    /// The region, if it differs from that of the environment.
    public static final String REGION = "region";

    /// `true` to name the bucket in the path of a request instead of the host name, as many servers require.
    public static final String PATH_STYLE = "path-style";

    private static final Set<String> KNOWN = Set.of(ENDPOINT, REGION, PATH_STYLE);

    /// For [java.util.ServiceLoader].
    public S3Storage() {}

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public BlobStore open(RunLocation.Remote location, StorageSettings settings) {
        return S3BlobStore.open(S3Location.parse(location.toString()), options(settings));
    }

    /// @throws IllegalArgumentException if a setting is unknown or has an invalid value
    static S3Options options(StorageSettings settings) {
        settings.requireOnly(KNOWN);
        S3Options options = S3Options.usual();
        Optional<String> endpoint = settings.get(ENDPOINT);
        if (endpoint.isPresent()) {
            options = options.withEndpoint(server(endpoint.get()));
        }
        Optional<String> region = settings.get(REGION);
        if (region.isPresent()) {
            options = options.withRegion(region.get());
        }
        return switch (settings.get(PATH_STYLE).orElse("false")) {
            case "true" -> options.withAddressing(Addressing.PATH);
            case "false" -> options;
            default ->
                throw new IllegalArgumentException("%s is true or false, not '%s'"
                        .formatted(PATH_STYLE, settings.get(PATH_STYLE).orElseThrow()));
        };
    }

    private static URI server(String text) {
        try {
            URI server = URI.create(text);
            if (server.getHost() != null
                    && server.getPort() <= 65_535
                    && String.valueOf(server.getScheme()).matches("https?")) {
                return server;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(problem(text), e);
        }
        throw new IllegalArgumentException(problem(text));
    }

    private static String problem(String endpoint) {
        return "endpoint '%s' is not of the form https://host:port".formatted(endpoint);
    }
}
