@NullMarked
package dev.cairn.torch;

import org.jspecify.annotations.NullMarked;
