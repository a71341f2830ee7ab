/// Where a run is: a folder, or a URI whose scheme names the storage.
///
/// Storage is found by its scheme. A module that brings storage implements
/// [StorageProvider][dev.cairn.store.location.StorageProvider] and names its class in
/// `META-INF/services/dev.cairn.store.location.StorageProvider`; nothing else has to know it.
@NullMarked
package dev.cairn.store.location;

import org.jspecify.annotations.NullMarked;
