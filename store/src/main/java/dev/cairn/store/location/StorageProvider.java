package dev.cairn.store.location;

import dev.cairn.store.blob.BlobStore;

/// Storage that is found by the scheme of a run's location. The class must be public and have a public constructor
/// without parameters, so that [java.util.ServiceLoader] finds it.
public interface StorageProvider {
    /// The scheme of this storage, in lower case, such as `s3`.
    String scheme();

    /// Opens the blobs of the run at this location. Sends no request to the storage yet. The result keeps the laws
    /// of [BlobStore]. If it holds connections or threads, it is [AutoCloseable], and the caller closes it.
    ///
    /// @param location a location with this provider's scheme
    /// @throws IllegalArgumentException if no run can be there, or if a setting is unknown or has an invalid value
    BlobStore open(RunLocation.Remote location, StorageSettings settings);
}
