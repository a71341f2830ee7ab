/// The right to write to a run: one writer at a time, with an operating-system lock or a lease. It prevents writers
/// from disturbing each other; the log protects the integrity of the run.
@NullMarked
package dev.cairn.store.right;

import org.jspecify.annotations.NullMarked;
