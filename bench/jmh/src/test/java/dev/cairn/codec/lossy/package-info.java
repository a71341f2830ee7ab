@NullMarked
package dev.cairn.codec.lossy;

import org.jspecify.annotations.NullMarked;
