/// The process that starts the members of a team, gives each its place, notices at once when one is gone, and replaces
/// it. It trains nothing, and knows no engine.
@NullMarked
package dev.cairn.cluster.supervise;

import org.jspecify.annotations.NullMarked;
