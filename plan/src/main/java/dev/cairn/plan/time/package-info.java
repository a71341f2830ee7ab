/// The time a run takes that saves now and then and fails now and then, and the interval that makes it least. Times
/// are seconds.
@NullMarked
package dev.cairn.plan.time;

import org.jspecify.annotations.NullMarked;
