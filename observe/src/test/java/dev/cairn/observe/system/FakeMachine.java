package dev.cairn.observe.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A machine whose counters the test sets.
final class FakeMachine implements Machine {
    long[] cpu = new long[7];
    ByteRates disk = new ByteRates(0, 0);
    ByteRates network = new ByteRates(0, 0);
    final List<ProcessCounters> processes = new ArrayList<>();
    int searches;
    final AtomicInteger reads = new AtomicInteger();

    @Override
    public int cores() {
        return 4;
    }

    @Override
    public long[] cpu() {
        reads.incrementAndGet();
        return cpu.clone();
    }

    @Override
    public MemoryUse memory() {
        return new MemoryUse(1000, 2000, 300, 400);
    }

    @Override
    public ByteRates disk() {
        return disk;
    }

    @Override
    public ByteRates network() {
        return network;
    }

    @Override
    public Optional<ProcessCounters> process(long pid) {
        return processes.stream().filter(each -> each.pid() == pid).findFirst();
    }

    @Override
    public List<ProcessCounters> processes() {
        searches++;
        return List.copyOf(processes);
    }
}
