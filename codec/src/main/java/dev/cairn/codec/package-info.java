/// Pure functions over memory: element types, checksums, and what the lossless and lossy codecs share. Nothing here
/// does input or output or depends on another Cairn module.
@NullMarked
package dev.cairn.codec;

import org.jspecify.annotations.NullMarked;
