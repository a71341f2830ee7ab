/// Finds the checkpoints of communicating processes that belong together: consistent states, recovery lines, and how
/// far a failure sets each process back.
///
/// A state has one checkpoint of each process, by number; 0 is the start of the process. A state is consistent if for
/// every delivery that it records, it also records the send. It is a recovery line if in addition no message is in
/// transit across it.
@NullMarked
package dev.cairn.plan.recovery;

import org.jspecify.annotations.NullMarked;
