/// The hosts of a job, as its supervisor knows them: its own, and others on which an agent starts the
/// processes.
@NullMarked
package dev.cairn.cluster.hosts;

import org.jspecify.annotations.NullMarked;
