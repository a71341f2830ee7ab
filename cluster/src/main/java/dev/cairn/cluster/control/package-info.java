/// How a supervisor, its members and its agents talk: messages, one JSON object a line, over connections of
/// TCP. Both sides prove first that they know the secret of the job.
@NullMarked
package dev.cairn.cluster.control;

import org.jspecify.annotations.NullMarked;
