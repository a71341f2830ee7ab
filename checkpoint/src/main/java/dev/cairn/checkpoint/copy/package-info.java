/// A second copy of the run on other storage, updated during the training. A lost run can be restored from it.
@NullMarked
package dev.cairn.checkpoint.copy;

import org.jspecify.annotations.NullMarked;
