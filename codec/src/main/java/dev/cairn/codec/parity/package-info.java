/// Redundancy for files: a damaged region of up to a hundredth of a file, and of at least 4 KiB, can be computed from
/// the rest.
///
/// The contents of a file are cut into chunks. Chunk `p` belongs to group `p mod P`, and one parity chunk per group
/// holds the exclusive or of its chunks. A damaged region touches at most `P` chunks in a row, so at most one of each
/// group. Two tables, on both sides of the parity chunks, hold the checksum of every chunk and tell which ones are
/// damaged.
///
/// ```
/// File  := Contents Zeros Table Parity Table
/// ```
///
/// Parity chunk `t` takes position `N + t` after the `N` chunks of the contents and belongs to group
/// `(N + t) mod P`: so the rule also holds for a region that crosses from the contents into the parity.
@NullMarked
package dev.cairn.codec.parity;

import org.jspecify.annotations.NullMarked;
