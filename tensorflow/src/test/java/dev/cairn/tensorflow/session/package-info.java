@NullMarked
package dev.cairn.tensorflow.session;

import org.jspecify.annotations.NullMarked;
