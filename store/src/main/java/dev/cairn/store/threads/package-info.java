/// One way to run work on several threads: the caller takes part, the first error stops all, and no thread outlives the
/// call.
@NullMarked
package dev.cairn.store.threads;

import org.jspecify.annotations.NullMarked;
