@NullMarked
package dev.cairn.codec.block;

import org.jspecify.annotations.NullMarked;
