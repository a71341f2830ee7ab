/// Figures of a training for programs that collect such, by Micrometer: `docs/METRICS.md` names them all.
@NullMarked
package dev.cairn.observe.metrics;

import org.jspecify.annotations.NullMarked;
