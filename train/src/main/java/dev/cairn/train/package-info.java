/// Training runs: workload, data and settings, the training loop, and the state that makes a resume exact.
@NullMarked
package dev.cairn.train;

import org.jspecify.annotations.NullMarked;
