/// The parts of TensorFlow's C interface that a learner needs: libraries, tensors over Cairn's memory, graphs and the
/// sessions that run them.
@NullMarked
package dev.cairn.tensorflow.runtime;

import org.jspecify.annotations.NullMarked;
