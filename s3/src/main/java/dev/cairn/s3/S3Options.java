package dev.cairn.s3;

import java.net.URI;
import java.util.Optional;

/// Settings for the connection to object storage. Start from [#usual] and change what differs. Credentials come from
/// the environment, the profile files or the machine's role, as with every AWS tool.
///
/// @param endpoint address of a server other than AWS
/// @param addressing how a request names the bucket
/// @param region the region, if it differs from that of the environment
/// @param patience limits on waiting
public record S3Options(Optional<URI> endpoint, Addressing addressing, Optional<String> region, Patience patience) {
    /// How a request names the bucket.
    public enum Addressing {
        /// In the host name: `https://bucket.host/key`.
        VIRTUAL_HOST,
        /// In the path: `https://host/bucket/key`, for servers with a single host name.
        PATH
    }

    /// The default: AWS.
    public static S3Options usual() {
        return new S3Options(Optional.empty(), Addressing.VIRTUAL_HOST, Optional.empty(), Patience.usual());
    }

    /// With a server other than AWS.
    public S3Options withEndpoint(URI endpoint) {
        return new S3Options(Optional.of(endpoint), addressing, region, patience);
    }

    /// With this way of naming buckets.
    public S3Options withAddressing(Addressing addressing) {
        return new S3Options(endpoint, addressing, region, patience);
    }

    /// With this region.
    public S3Options withRegion(String region) {
        return new S3Options(endpoint, addressing, Optional.of(region), patience);
    }

    /// With these limits on waiting.
    public S3Options withPatience(Patience patience) {
        return new S3Options(endpoint, addressing, region, patience);
    }

    /// The name of the server, for messages.
    String server() {
        return endpoint.map(URI::toString).orElse("AWS");
    }
}
