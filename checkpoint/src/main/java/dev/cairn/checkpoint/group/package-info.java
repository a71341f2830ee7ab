/// Checkpoints of a training by several processes that all have the same state after each step, for loops of users.
/// They bring their own communication, a [Group][dev.cairn.checkpoint.group.Group].
@NullMarked
package dev.cairn.checkpoint.group;

import org.jspecify.annotations.NullMarked;
