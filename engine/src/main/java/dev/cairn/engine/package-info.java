/// The interface between a trainer and a framework. A learner makes steps, evaluates, and shows its live state as
/// named tensors. Each framework implements the interface in its own module. No type of a framework appears here.
@NullMarked
package dev.cairn.engine;

import org.jspecify.annotations.NullMarked;
