/// The schemes that studies compare Cairn with, as codecs like any other: the same chain, the same segments, the same
/// reader, and every byte counted, those of indices and tables too. Yardsticks, not recommendations.
///
/// A [Baseline] looks at the whole captured state before anything is encoded and gives each tensor its encoder:
/// [MostChanged] is SCAR and TOPN, [LeastSquares] is l2, [Excp] is ExCP.
@NullMarked
package dev.cairn.checkpoint.baseline;

import org.jspecify.annotations.NullMarked;
