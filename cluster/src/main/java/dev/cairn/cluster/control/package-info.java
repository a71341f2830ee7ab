/// How a supervisor and its members talk: messages, one JSON object a line, over a connection on this host. Who does
/// not
/// know the secret of the job is not heard.
@NullMarked
package dev.cairn.cluster.control;

import org.jspecify.annotations.NullMarked;
