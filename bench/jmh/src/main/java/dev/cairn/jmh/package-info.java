/// How fast the codec is, measured by JMH: whole blocks and the compressors beside them ([CodecBenchmark]), checksums
/// ([ChecksumBenchmark]); the stages of a block are measured where they are at home, in `dev.cairn.codec.lossy`. Every
/// group has a `memcpy` of its own, since only ratios of one run can be compared. [Main] runs them and prints the
/// ratios.
@NullMarked
package dev.cairn.jmh;

import org.jspecify.annotations.NullMarked;
