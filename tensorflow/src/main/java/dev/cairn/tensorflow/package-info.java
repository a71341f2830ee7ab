/// Models and their optimizers as TensorFlow graphs, run by one session through the C interface. This is the only
/// module that knows TensorFlow. It exposes the variables as memory segments and hides the rest.
///
/// A step is two runs: one computes loss and gradients and changes nothing, the other takes those gradients and updates
/// the variables. Variables have the names, shapes and layouts of [dev.cairn.engine.Parameter]. So one engine can
/// restore what another one saved.
@NullMarked
package dev.cairn.tensorflow;

import org.jspecify.annotations.NullMarked;
