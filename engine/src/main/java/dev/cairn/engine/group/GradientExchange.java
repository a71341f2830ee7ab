package dev.cairn.engine.group;

import java.lang.foreign.MemorySegment;

/// Adds up what the processes of a group have computed for one step.
public interface GradientExchange {
    /// The number of floats behind the gradients that belong to the exchange.
    int OWN_FLOATS = 16;

    /// Replaces the gradients of this process by the sums over all processes. All get the same bits.
    ///
    /// @param floats the gradients, and behind them [#OWN_FLOATS] floats for the exchange itself
    /// @param loss the sum of the losses of this process's examples
    /// @return the sum of the losses of all processes
    /// @throws BrokenGroupException if another process of the group is gone
    float sum(MemorySegment floats, float loss);
}
