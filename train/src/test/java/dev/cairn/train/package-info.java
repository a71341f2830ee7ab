@NullMarked
package dev.cairn.train;

import org.jspecify.annotations.NullMarked;
