/// Which checkpoints of processes that send each other messages belong together: consistent states, recovery lines, and
/// how far a failure takes each process back.
///
/// A state has one checkpoint of each process, by number; 0 is where the process began. It is consistent where every
/// delivery that it records has its send recorded, and a recovery line where moreover no message is under way across
/// it.
@NullMarked
package dev.cairn.plan.recovery;

import org.jspecify.annotations.NullMarked;
