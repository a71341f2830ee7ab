/// Computes how often to save, how long a run will take, and how far a failure sets it back: pure functions, without
/// input or output. [dev.cairn.plan.time] has expected times and intervals.
@NullMarked
package dev.cairn.plan;

import org.jspecify.annotations.NullMarked;
