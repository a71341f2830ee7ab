/// The right to write into a run: one writer at a time, by a lock of the operating system or by a lease. It keeps
/// writers out of each other's way; what keeps a run whole is the log.
@NullMarked
package dev.cairn.store.right;

import org.jspecify.annotations.NullMarked;
