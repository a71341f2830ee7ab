/// Tests of the lossless codecs.
@NullMarked
package dev.cairn.codec.lossless;

import org.jspecify.annotations.NullMarked;
