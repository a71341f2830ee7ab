/// Tests of the exact codecs.
@NullMarked
package dev.cairn.codec.lossless;

import org.jspecify.annotations.NullMarked;
