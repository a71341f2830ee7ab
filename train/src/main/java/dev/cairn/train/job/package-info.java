/// A whole training as a job. The job is checked before anything is created. Then it opens its run, chooses the
/// start and the settings of the training, loads the data, trains, and returns the result.
///
/// [JobPlan] describes a job, and [TrainingJob] runs it. A [Refusal] is the reason why it cannot run. A job
/// prints nothing: its caller reports the result, the exceptions and the calls of the [JobListener].
@NullMarked
package dev.cairn.train.job;

import org.jspecify.annotations.NullMarked;
