package dev.cairn.observe.system;

import java.util.List;
import java.util.Optional;

/// The counters of a machine. Those of time and bytes only grow, while the machine runs.
interface Machine {
    /// The number of cores.
    int cores();

    /// How long the cores did what, in any unit: user, system, idle, waiting, hard interrupts, soft interrupts, stolen.
    long[] cpu();

    /// The memory now.
    MemoryUse memory();

    /// Bytes read from all disks, and written to them.
    ByteRates disk();

    /// Bytes received and sent on all interfaces but the loopback.
    ByteRates network();

    /// The process of this number; empty if there is none.
    Optional<ProcessCounters> process(long pid);

    /// All processes.
    List<ProcessCounters> processes();

    /// The counters of a process.
    ///
    /// @param startMillis when it began: a later process may have the same pid
    /// @param name what the system calls it
    /// @param cpuSeconds how long it kept cores busy
    /// @param diskBytes what it read and wrote
    record ProcessCounters(
            long pid, long startMillis, String name, double cpuSeconds, long memoryBytes, ByteRates diskBytes) {}
}
