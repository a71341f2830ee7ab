package dev.cairn.store.location;

import dev.cairn.store.blob.BlobStore;

/// Storage that is found by the scheme of a run's location. Its class is public, has a public constructor without
/// parameters, and is found by [java.util.ServiceLoader].
public interface StorageProvider {
    /// The scheme that it serves, in lower case, such as `s3`.
    String scheme();

    /// The blobs of the run at this location. Nothing is asked of the storage yet. The result keeps the laws of
    /// [BlobStore]; where it holds connections or threads, it is [AutoCloseable], and who opened it closes it.
    ///
    /// @param location with this provider's scheme
    /// @throws IllegalArgumentException where no run can be there, or a setting is not known or has no such value
    BlobStore open(RunLocation.Remote location, StorageSettings settings);
}
