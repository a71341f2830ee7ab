/// Trainings without an engine that are killed, cut off and run for long: what they committed must stand, bit for bit.
@NullMarked
package dev.cairn.checkpoint.crash;

import org.jspecify.annotations.NullMarked;
