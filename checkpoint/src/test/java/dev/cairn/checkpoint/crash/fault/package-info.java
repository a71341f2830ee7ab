/// A file system that fails on request: every operation of Cairn on the real file system goes through [FaultPlan]
/// first.
@NullMarked
package dev.cairn.checkpoint.crash.fault;

import org.jspecify.annotations.NullMarked;
