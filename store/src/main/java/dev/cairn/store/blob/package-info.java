/// Named blobs on storage that may fail at any time: the interface of all storage, and its implementation for a
/// folder. File names are built only here.
@NullMarked
package dev.cairn.store.blob;

import org.jspecify.annotations.NullMarked;
