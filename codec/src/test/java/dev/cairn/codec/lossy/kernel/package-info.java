@NullMarked
package dev.cairn.codec.lossy.kernel;

import org.jspecify.annotations.NullMarked;
