/// Checks the files of an open run again from time to time, slowly and beside the training, and heals what rotted.
@NullMarked
package dev.cairn.checkpoint.scrub;

import org.jspecify.annotations.NullMarked;
