/// A copy of a run as the source of bytes that are damaged in the run.
@NullMarked
package dev.cairn.store.spare;

import org.jspecify.annotations.NullMarked;
