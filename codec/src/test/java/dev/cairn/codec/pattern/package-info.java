@NullMarked
package dev.cairn.codec.pattern;

import org.jspecify.annotations.NullMarked;
