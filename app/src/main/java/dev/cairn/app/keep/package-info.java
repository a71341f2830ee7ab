/// The commands that change what a run keeps: `merge`, `prune` and `repair`.
@NullMarked
package dev.cairn.app.keep;

import org.jspecify.annotations.NullMarked;
