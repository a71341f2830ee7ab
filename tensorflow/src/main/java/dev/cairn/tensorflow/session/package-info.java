/// The hook for a user's own TensorFlow-Java session: its variables as the state of a training. Users of this package
/// must add `tensorflow-core-api`; no other part of Cairn needs it.
@NullMarked
package dev.cairn.tensorflow.session;

import org.jspecify.annotations.NullMarked;
