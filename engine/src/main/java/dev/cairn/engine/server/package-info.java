/// What a training with a parameter server needs from a framework. The server owns the variables. The workers
/// compute gradients, and send them to it. The framework's own runtime carries all that they exchange.
@NullMarked
package dev.cairn.engine.server;

import org.jspecify.annotations.NullMarked;
