/// What follows saves, on a thread of its own: chains are merged and what retention gives up is removed.
@NullMarked
package dev.cairn.checkpoint.house;

import org.jspecify.annotations.NullMarked;
