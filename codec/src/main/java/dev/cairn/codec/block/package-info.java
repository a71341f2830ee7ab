/// Blocks of tensors as bytes and back. A [BlockEncoder] turns live values into a frame and keeps the reference at
/// what a reader will hold; [BlockDecoder] applies any frame to a reference. `docs/FORMAT.md` has the grammar of a
/// frame.
@NullMarked
package dev.cairn.codec.block;

import org.jspecify.annotations.NullMarked;
