/// A second copy of the run on other storage, kept up beside the training, from which a lost run comes back.
@NullMarked
package dev.cairn.checkpoint.copy;

import org.jspecify.annotations.NullMarked;
