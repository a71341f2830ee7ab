@NullMarked
package dev.cairn.observe.tensorboard;

import org.jspecify.annotations.NullMarked;
