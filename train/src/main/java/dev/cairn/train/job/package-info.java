/// A whole training as a job: it is checked before anything is made, then opens its run, finds where and with which
/// settings the training begins, loads the data, trains, and returns what came of it.
///
/// [JobPlan] says what to do. [TrainingJob] does it. A [Refusal] says why it does not. A job prints nothing: whoever
/// starts it tells people what it returns, throws, or tells its [JobListener].
@NullMarked
package dev.cairn.train.job;

import org.jspecify.annotations.NullMarked;
