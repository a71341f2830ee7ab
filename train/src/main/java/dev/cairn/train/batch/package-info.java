/// The examples of a data set as batches in native memory, in the order of a training. A process that shares a
/// training with others loads only its share of each batch.
@NullMarked
package dev.cairn.train.batch;

import org.jspecify.annotations.NullMarked;
