/// Deltas that replace some of the values and leave the rest: what partial checkpoints (SCAR) and the largest changes
/// (TOPN) come to on disk.
///
/// Which values is said by an entropy-coded mask with a bit for each run of elements. With runs of one element it
/// takes .31 bits an element where 5 % are kept, .08 where 1 % are; a list of 16-bit indices would take .80 and .16,
/// and is shorter only below 0.2 %.
@NullMarked
package dev.cairn.codec.sparse;

import org.jspecify.annotations.NullMarked;
