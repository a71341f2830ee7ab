/// Saves the checkpoints of a training in another process of the same machine, such as one in Python.
///
/// The training starts one [Main] for itself. Both map the same memory: the training copies its state there, the
/// sidecar encodes and commits it from there. They speak over a Unix socket, in the messages of `docs/SIDECAR.md`. A
/// copy that is complete is committed even if the training is gone by then. A sidecar ends when its training is gone
/// and nothing is left to commit.
@NullMarked
package dev.cairn.sidecar;

import org.jspecify.annotations.NullMarked;
