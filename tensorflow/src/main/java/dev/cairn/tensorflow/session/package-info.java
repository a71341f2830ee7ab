/// The hook for a TensorFlow-Java session of a user's own: its variables as the state of a training. Who uses it brings
/// `tensorflow-core-api`; nothing else of Cairn needs that.
@NullMarked
package dev.cairn.tensorflow.session;

import org.jspecify.annotations.NullMarked;
