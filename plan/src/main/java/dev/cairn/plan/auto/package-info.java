/// The interval between saves that a run finds by itself: from what saves cost it, and from how often it failed. Knows
/// no clock and no storage, so that a simulation runs the same objects as a training.
@NullMarked
package dev.cairn.plan.auto;

import org.jspecify.annotations.NullMarked;
