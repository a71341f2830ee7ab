/// The commit log: numbered records, each created only if absent. A checkpoint exists when its record exists. The
/// highest number is the newest; names, steps and clocks do not define the order.
///
/// ```
/// log/0000000007.rec                    record 7 exists, so checkpoint 7 exists
/// log/0000000007.twin                   the same bytes again, written later; heals the record
/// ```
/// A [History][dev.cairn.store.log.History] is the contents of all records together: the checkpoints, their
/// dependencies, and the files that nothing needs.
@NullMarked
package dev.cairn.store.log;

import org.jspecify.annotations.NullMarked;
