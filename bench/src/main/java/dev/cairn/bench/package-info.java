/// What `cairn bench` measures: this build on this machine, against `memcpy` and general compressors in the same run.
/// One package a benchmark; what they share is here.
@NullMarked
package dev.cairn.bench;

import org.jspecify.annotations.NullMarked;
