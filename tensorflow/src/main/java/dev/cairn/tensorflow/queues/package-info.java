/// What a server and its workers exchange in a synchronous training: the server's process gives each worker its
/// task through a queue of its own, and gets the gradients through queues. The queues are in the server. Their
/// names contain the generation, so what comes late from an earlier one reaches nobody.
@NullMarked
package dev.cairn.tensorflow.queues;

import org.jspecify.annotations.NullMarked;
