/// Keeps background work from disturbing a training: priorities, a write limit, and code that is compiled before it
/// is needed.
@NullMarked
package dev.cairn.checkpoint.background;

import org.jspecify.annotations.NullMarked;
