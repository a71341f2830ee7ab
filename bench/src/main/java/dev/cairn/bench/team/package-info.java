/// The benchmark `team`: how fast several workers notice and recover from a failure, what their supervision costs, and
/// how much faster than one they are.
@NullMarked
package dev.cairn.bench.team;

import org.jspecify.annotations.NullMarked;
