@NullMarked
package dev.cairn.checkpoint;

import org.jspecify.annotations.NullMarked;
