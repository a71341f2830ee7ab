package dev.cairn.checkpoint.group;

import java.lang.foreign.MemorySegment;

/// Several processes that train together, as one of them sees them: what [GroupCheckpoints] needs of the
/// communication that a distributed loop has anyway. All processes make the same calls in the same order. A call may
/// throw if another process is gone; the exception reaches the caller of [GroupCheckpoints].
public interface Group {
    /// The place of this process, from 0.
    int rank();

    /// The number of processes.
    int size();

    /// Replaces each number by its sum over all processes. Whole numbers below 2^32 must be added up exactly.
    void sum(double[] numbers);

    /// Replaces these bytes by those of the process of rank 0. All have the same number of bytes.
    void broadcast(MemorySegment bytes);
}
