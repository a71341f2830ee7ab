/// Where a process finds its place in a job of several hosts: in the variables of launchers, or in a list of
/// deployments.
@NullMarked
package dev.cairn.cluster.launch;

import org.jspecify.annotations.NullMarked;
