/// Models as TensorFlow's graphs: their variables, forward passes and gradients. The same graph serves a learner, a
/// parameter server and its workers.
@NullMarked
package dev.cairn.tensorflow.model;

import org.jspecify.annotations.NullMarked;
