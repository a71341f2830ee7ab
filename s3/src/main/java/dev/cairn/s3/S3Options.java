package dev.cairn.s3;

import java.net.URI;
import java.util.Optional;

/// How to reach object storage. Start from [#usual] and change what differs; credentials come from the environment, the
/// profile files or the machine's role, as with every tool of AWS.
///
/// @param endpoint of a server that is not AWS
/// @param addressing how a bucket is named in a request
/// @param region where it is not what the environment says
/// @param patience how long anything is waited for
public record S3Options(Optional<URI> endpoint, Addressing addressing, Optional<String> region, Patience patience) {
    /// How a bucket is named in a request.
    public enum Addressing {
        /// In the host's name: `https://bucket.host/key`.
        VIRTUAL_HOST,
        /// In the path: `https://host/bucket/key`, as servers want it that have one name.
        PATH
    }

    /// AWS itself.
    public static S3Options usual() {
        return new S3Options(Optional.empty(), Addressing.VIRTUAL_HOST, Optional.empty(), Patience.usual());
    }

    /// At a server that is not AWS.
    public S3Options withEndpoint(URI endpoint) {
        return new S3Options(Optional.of(endpoint), addressing, region, patience);
    }

    /// With buckets named like this.
    public S3Options withAddressing(Addressing addressing) {
        return new S3Options(endpoint, addressing, region, patience);
    }

    /// In this region.
    public S3Options withRegion(String region) {
        return new S3Options(endpoint, addressing, Optional.of(region), patience);
    }

    /// With other bounds on waiting.
    public S3Options withPatience(Patience patience) {
        return new S3Options(endpoint, addressing, region, patience);
    }

    /// The server, for people.
    String server() {
        return endpoint.map(URI::toString).orElse("AWS");
    }
}
