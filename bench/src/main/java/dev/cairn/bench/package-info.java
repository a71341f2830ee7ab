/// What `cairn bench` measures: this build on this machine, against `memcpy` and general compressors in the same run.
/// Each benchmark has a package; this one has the shared code.
@NullMarked
package dev.cairn.bench;

import org.jspecify.annotations.NullMarked;
