/// Restores the newest checkpoint that verifies into the live state, and says which checkpoints were skipped.
@NullMarked
package dev.cairn.checkpoint.restore;

import org.jspecify.annotations.NullMarked;
