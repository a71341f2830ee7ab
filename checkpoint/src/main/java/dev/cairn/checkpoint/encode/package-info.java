/// Decides how each tensor is encoded, and keeps the reference: the values that a reader of the last checkpoint
/// holds, bit for bit.
@NullMarked
package dev.cairn.checkpoint.encode;

import org.jspecify.annotations.NullMarked;
