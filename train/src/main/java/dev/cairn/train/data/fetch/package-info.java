/// Where the files of data sets are, and how they get there: downloaded once, with checksums, retries and a lock.
@NullMarked
package dev.cairn.train.data.fetch;

import org.jspecify.annotations.NullMarked;
