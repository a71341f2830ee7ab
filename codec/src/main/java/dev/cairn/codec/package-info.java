/// Pure functions over memory: element types and checksums today; lossless and lossy delta codecs next.
/// Nothing here does input or output or knows another Cairn module.
@NullMarked
package dev.cairn.codec;

import org.jspecify.annotations.NullMarked;
