package dev.cairn.observe.system;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How a machine and some of its processes were used during the time before a moment.
///
/// @param time the moment, by the clock that the events of the training have
/// @param seconds the length of the time that the figures are about
/// @param disk all disks
/// @param network all interfaces but the loopback
/// @param topCpu the process of the machine that kept most cores busy. It is searched only now and then, so that the
///     search costs nearly nothing. Empty before the first search
/// @param topMemory the process with the most resident memory, searched at the same time
/// @param processes the processes of the training
public record SystemSample(
        Instant time,
        double seconds,
        CpuUse cpu,
        ByteRates disk,
        ByteRates network,
        MemoryUse memory,
        Optional<ProcessUse> topCpu,
        Optional<ProcessUse> topMemory,
        List<ProcessUse> processes) {
    public SystemSample {
        processes = List.copyOf(processes);
    }
}
