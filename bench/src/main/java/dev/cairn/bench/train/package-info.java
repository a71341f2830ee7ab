/// `cairn bench train`: speed of the engines, and what the trainer and automatic checkpoints add.
@NullMarked
package dev.cairn.bench.train;

import org.jspecify.annotations.NullMarked;
