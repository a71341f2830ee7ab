@NullMarked
package dev.cairn.checkpoint.baseline;

import org.jspecify.annotations.NullMarked;
