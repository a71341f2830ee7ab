package dev.cairn.engine.group;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Several processes that exchange data through their framework's own communication. For one thread. Every method that
/// exchanges throws [BrokenGroupException] if another process is gone. All processes must call the same methods in the
/// same order.
public interface ProcessGroup extends AutoCloseable {
    /// The place of this process, from 0.
    int rank();

    /// The number of processes.
    int size();

    /// Replaces each float by its sum over all processes. All get the same bits, in each group of this size.
    void sumFloats(MemorySegment floats);

    /// Replaces each double by its sum over all processes. All get the same bits.
    void sumDoubles(MemorySegment doubles);

    /// Sends bytes to the process of this rank, which must call [#receive].
    void send(MemorySegment bytes, int to);

    /// Fills the memory with what the process of this rank sends.
    void receive(MemorySegment bytes, int from);

    /// Cuts the connections of this process to the others: what it exchanges now or later fails at once. Any
    /// thread may call this. Does nothing if the system cannot do it.
    default void sever() {}

    /// What this process has exchanged with the others since the group formed. Empty if the system does not
    /// tell.
    default Optional<Traffic> traffic() {
        return Optional.empty();
    }

    @Override
    void close();
}
