/// Encodes blocks of tensors as bytes and decodes them. A [BlockEncoder] turns live values into a frame, and updates
/// the reference to the values that a reader will hold. A [BlockDecoder] applies any frame to a reference.
/// `docs/FORMAT.md` has the grammar of a frame.
@NullMarked
package dev.cairn.codec.block;

import org.jspecify.annotations.NullMarked;
