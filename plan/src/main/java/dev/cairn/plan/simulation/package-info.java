/// Simulated runs: work, saves and failures in simulated time, with the same policies as real runs.
@NullMarked
package dev.cairn.plan.simulation;

import org.jspecify.annotations.NullMarked;
