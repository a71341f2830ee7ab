/// Deltas that replace some of the values and leave the rest: the disk format of partial checkpoints (SCAR) and of the
/// largest changes (TOPN).
///
/// An entropy-coded mask, with one bit for each run of elements, says which values are replaced. With runs of one
/// element, the mask takes .31 bits per element if 5 % are kept, and .08 if 1 % are kept. A list of 16-bit indices
/// would take .80 and .16, and is shorter only below 0.2 %.
@NullMarked
package dev.cairn.codec.sparse;

import org.jspecify.annotations.NullMarked;
