/// Files that hold the bytes of tensors in checksummed blocks. A segment is written once, by one writer, and is staged
/// until a record of the log names it.
///
/// ```
/// segments/0000000007-main-0f3a….seg    the number of its record, its writer, and a random part
/// ```
@NullMarked
package dev.cairn.store.segment;

import org.jspecify.annotations.NullMarked;
