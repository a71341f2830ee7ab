/// What a trainer needs of a framework, and nothing more: a learner that makes a step, evaluates, and shows its live
/// state as named tensors. Each framework implements it in a module of its own; none leaks through it.
@NullMarked
package dev.cairn.engine;

import org.jspecify.annotations.NullMarked;
