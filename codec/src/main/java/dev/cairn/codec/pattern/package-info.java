/// What the rows of a changed matrix have in common.
///
/// The rows of a gradient are sums of a few inputs of a layer, so the change of a weight matrix is close to a matrix of
/// low rank. A delta therefore has up to sixteen *patterns* for a matrix: rows of small whole numbers, stored once.
/// Each
/// row of a block has an *amount* of each pattern, also a whole number. Their products are added to the reference, and
/// only the rest is quantized. All sums are whole numbers below 2²⁴, so every machine computes the same bits, in any
/// order. See `docs/adr/0027-patterns.md`.
@NullMarked
package dev.cairn.codec.pattern;

import org.jspecify.annotations.NullMarked;
