/// How the steps of a training are made: in this process, or by workers that send their gradients to the server
/// that this process has. The loop around the steps is the same.
@NullMarked
package dev.cairn.train.steps;

import org.jspecify.annotations.NullMarked;
