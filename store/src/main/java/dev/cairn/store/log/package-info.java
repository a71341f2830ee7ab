/// The commit log: numbered records, each created if absent. A checkpoint exists when its record does; the highest
/// number is the newest; names, steps and clocks order nothing.
///
/// ```
/// log/0000000007.rec                    record 7 exists, so checkpoint 7 exists
/// ```
/// A [History][dev.cairn.store.log.History] is what all records say together: which checkpoints there are, on which
/// others they are built, and which files nothing needs.
@NullMarked
package dev.cairn.store.log;

import org.jspecify.annotations.NullMarked;
