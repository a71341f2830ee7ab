/// Starts the processes of a job on a host that is not the supervisor's, as that one says.
@NullMarked
package dev.cairn.cluster.agent;

import org.jspecify.annotations.NullMarked;
