/// Models and their optimizers as TensorFlow graphs, run by one session through its C interface. The only module that
/// knows TensorFlow: it shows the variables as memory segments and hides the rest.
///
/// A step is two runs: one computes loss and gradients and changes nothing, the other takes those gradients and updates
/// the variables. Variables have the names, shapes and layouts of [dev.cairn.engine.Parameter], so that what one engine
/// saved another restores.
@NullMarked
package dev.cairn.tensorflow;

import org.jspecify.annotations.NullMarked;
