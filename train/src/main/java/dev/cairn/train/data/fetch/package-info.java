/// The places of data files, and their download: once, with checksums, retries and a lock.
@NullMarked
package dev.cairn.train.data.fetch;

import org.jspecify.annotations.NullMarked;
