/// The schemes that studies compare Cairn with, implemented as codecs: the same chain, the same segments, the same
/// reader, and every byte counted, including indices and tables. They are baselines, not recommendations.
///
/// A [Baseline] sees the whole captured state before anything is encoded and chooses the encoder of each tensor:
/// [MostChanged] is SCAR and TOPN, [LeastSquares] is l2, [Excp] is ExCP.
@NullMarked
package dev.cairn.checkpoint.baseline;

import org.jspecify.annotations.NullMarked;
