/// Deltas that replace some of the values and leave the rest: what partial checkpoints (SCAR) and the largest changes
/// (TOPN) come to on disk.
///
/// Which values is said by an entropy-coded mask with a bit for each run of elements. Even with runs of one element
/// that
/// is never more than a list of indices would cost: at 5 % of the elements about .29 bits an element, where indices of
/// 16 bits
/// would take .8.
@NullMarked
package dev.cairn.codec.sparse;

import org.jspecify.annotations.NullMarked;
