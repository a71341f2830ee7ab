/// Named blobs on storage that may fail at any instant: the interface that all storage has, and a folder of a file
/// system. Names of files are made here, and nowhere else.
@NullMarked
package dev.cairn.store.blob;

import org.jspecify.annotations.NullMarked;
