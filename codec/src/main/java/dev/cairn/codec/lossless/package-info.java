/// Lossless blocks, alone or against the reference that a reader holds. [PlaneCodec] separates bytes by significance
/// and codes those that have structure, for any type, with or without a reference. [DifferenceCodec] codes the
/// magnitude of each difference of two float32 bit patterns and stores the remaining bits without coding. It is smaller
/// and faster if values changed a little, as they do in training. [MagnitudeCodec] does the same in fewer bytes for
/// small blocks. [ScaleCodec] is for values that changed by powers of two.
@NullMarked
package dev.cairn.codec.lossless;

import org.jspecify.annotations.NullMarked;
