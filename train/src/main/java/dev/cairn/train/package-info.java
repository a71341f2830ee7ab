/// Training runs: which workload on which data with which settings, the loop, and the state that makes a resume exact.
@NullMarked
package dev.cairn.train;

import org.jspecify.annotations.NullMarked;
