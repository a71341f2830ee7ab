/// Which checkpoints stay. Small pure policies, each a sentence ("the latest 5", "one every hour", "the best
/// 1"), join into a [Retention][dev.cairn.store.retention.Retention]: what any of them wants is kept.
///
/// Nothing here reads or removes a file. By construction the newest good checkpoint is always kept, and damaged
/// ones neither count nor push a good one out. Numbers alone order checkpoints: a step may come twice, a clock
/// may go back.
@NullMarked
package dev.cairn.store.retention;

import org.jspecify.annotations.NullMarked;
