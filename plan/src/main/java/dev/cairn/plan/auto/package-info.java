/// The interval between saves that a run chooses by itself, from the cost of its saves and the number of its failures.
/// The classes know no clock and no storage, so that a simulation uses the same objects as a training.
@NullMarked
package dev.cairn.plan.auto;

import org.jspecify.annotations.NullMarked;
