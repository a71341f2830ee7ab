/// The events of a training and their observers. Observers inform people and programs; they never change a
/// training.
@NullMarked
package dev.cairn.observe;

import org.jspecify.annotations.NullMarked;
