/// What a learner needs of TensorFlow's C interface: its libraries, tensors in memory of our own, graphs and the
/// sessions that run them.
@NullMarked
package dev.cairn.tensorflow.runtime;

import org.jspecify.annotations.NullMarked;
