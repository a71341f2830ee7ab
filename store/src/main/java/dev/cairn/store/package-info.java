/// A run's checkpoints on storage that may fail at any instant.
///
/// ```
/// run/
///   log/0000000007.rec            the commit log: record 7 exists, so checkpoint 7 exists
///   segments/0000000007-<id>.seg  tensor bytes in checksummed blocks, fsynced before their record
///   writer.lock                   held by the one live writer, or, on shared storage,
///   lease/0000000012.lease        whose highest number says who it is
/// ```
/// A checkpoint is committed by creating the next number of the log if it is absent: two writers collide, neither
/// replaces the other. The highest number is the newest; names, steps and clocks order nothing. `docs/FORMAT.md` has
/// the grammar and is the law.
@NullMarked
package dev.cairn.store;

import org.jspecify.annotations.NullMarked;
