/// Trainings whose processes save each on its own schedule, without agreeing on anything. Each has a run of its own,
/// and
/// records what it sent and received. After a failure, the records tell which checkpoints belong together.
@NullMarked
package dev.cairn.train.uncoordinated;

import org.jspecify.annotations.NullMarked;
