/// Runs that never were: work, saves and failures on a clock that only counts, with the policies that real runs have.
@NullMarked
package dev.cairn.plan.simulation;

import org.jspecify.annotations.NullMarked;
