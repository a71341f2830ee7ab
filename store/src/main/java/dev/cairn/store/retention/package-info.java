/// Decides which checkpoints stay. Small pure policies ("the latest 5", "one every hour", "the best 1") are combined
/// into a [Retention][dev.cairn.store.retention.Retention]: a checkpoint stays if any of them keeps it.
///
/// Nothing here reads or removes a file. The newest good checkpoint is always kept. Damaged checkpoints do not count
/// and never displace a good one. Only numbers order checkpoints: a step may occur twice, and a clock may go back.
@NullMarked
package dev.cairn.store.retention;

import org.jspecify.annotations.NullMarked;
