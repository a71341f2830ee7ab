/// The location of a run: a folder, or a URI whose scheme names the storage.
///
/// Storage is found by its scheme. A module with storage implements
/// [StorageProvider][dev.cairn.store.location.StorageProvider] and names its class in
/// `META-INF/services/dev.cairn.store.location.StorageProvider`. No other code needs to know it.
@NullMarked
package dev.cairn.store.location;

import org.jspecify.annotations.NullMarked;
