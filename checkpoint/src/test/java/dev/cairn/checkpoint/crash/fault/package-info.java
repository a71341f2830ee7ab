/// A file system that fails where it is told to: every operation that Cairn asks of the real one goes through
/// [FaultPlan] first.
@NullMarked
package dev.cairn.checkpoint.crash.fault;

import org.jspecify.annotations.NullMarked;
