/// Bit-exact blocks, alone or against the reference a reader holds. [PlaneCodec] separates bytes of equal significance
/// and codes those that have structure: any type, with or without a reference. [DifferenceCodec] codes how large each
/// difference of two float32 bit patterns is and keeps its remaining bits as they are: better and faster where values
/// moved a little, which is what training does. [MagnitudeCodec] does the same in fewer bytes for small blocks.
@NullMarked
package dev.cairn.codec.lossless;

import org.jspecify.annotations.NullMarked;
