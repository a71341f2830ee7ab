/// `cairn bench checkpoint`: what saving and restoring cost, and the size of a run.
@NullMarked
package dev.cairn.bench.checkpoint;

import org.jspecify.annotations.NullMarked;
