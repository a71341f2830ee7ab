/// Trainings without an engine that are killed, lose power and run for a long time: their commits must remain, bit
/// for bit.
@NullMarked
package dev.cairn.checkpoint.crash;

import org.jspecify.annotations.NullMarked;
