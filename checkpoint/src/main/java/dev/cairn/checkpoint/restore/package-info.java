/// Puts the newest checkpoint that verifies into the live state, and says which were passed over.
@NullMarked
package dev.cairn.checkpoint.restore;

import org.jspecify.annotations.NullMarked;
