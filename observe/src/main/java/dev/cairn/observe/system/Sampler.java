package dev.cairn.observe.system;

import dev.cairn.observe.system.Machine.ProcessCounters;
import dev.cairn.store.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Makes samples from the counters of a machine. What costs much time is read less often, so that all of it takes
/// less than half a hundredth of a core. Not thread-safe.
final class Sampler {
    /// How much of a core each of disks, network and the search for the most expensive processes may take.
    private static final double SHARE = 0.001;

    private final Machine machine;
    private final Clock clock;
    private final Seldom<ByteRates> disk;
    private final Seldom<ByteRates> network;
    private final Seldom<Top> top;
    private final Meter read = new Meter();
    private final Meter written = new Meter();
    private final Meter received = new Meter();
    private final Meter sent = new Meter();
    private final Map<String, OwnProcess> own = new HashMap<>();
    private Map<Long, ProcessCounters> all = Map.of();
    private long allNanos;
    private long[] cpu;
    private long lastNanos;

    /// @param spentNanos how much CPU time this thread has used
    Sampler(Machine machine, Clock clock, LongSupplier spentNanos) {
        this.machine = machine;
        this.clock = clock;
        this.disk = new Seldom<>(machine::disk, spentNanos, SHARE);
        this.network = new Seldom<>(machine::network, spentNanos, SHARE);
        this.top = new Seldom<>(this::search, spentNanos, SHARE);
        this.cpu = machine.cpu();
        this.lastNanos = clock.nanos();
        disk(lastNanos);
        network(lastNanos);
        top.at(lastNanos);
    }

    private record Top(Optional<ProcessUse> cpu, Optional<ProcessUse> memory) {}

    /// The number of cores of the machine.
    int cores() {
        return machine.cores();
    }

    /// Returns what was used since the last sample, or since this sampler was made.
    ///
    /// @param processes the pids of the training's processes, by name
    SystemSample sample(Map<String, Long> processes) {
        long now = clock.nanos();
        double seconds = (now - lastNanos) / 1e9;
        lastNanos = now;
        long[] before = cpu;
        cpu = machine.cpu();
        Top most = top.at(now);
        return new SystemSample(
                clock.now(),
                seconds,
                use(before, cpu),
                disk(now),
                network(now),
                machine.memory(),
                most.cpu(),
                most.memory(),
                own(processes, now));
    }

    private ByteRates disk(long now) {
        ByteRates total = disk.at(now);
        return new ByteRates(read.rate(total.in(), disk.readNanos()), written.rate(total.out(), disk.readNanos()));
    }

    private ByteRates network(long now) {
        ByteRates total = network.at(now);
        return new ByteRates(
                received.rate(total.in(), network.readNanos()), sent.rate(total.out(), network.readNanos()));
    }

    private static CpuUse use(long[] before, long[] after) {
        double[] share = new double[before.length];
        double sum = 0;
        for (int i = 0; i < share.length; i++) {
            share[i] = Math.max(0, after[i] - before[i]); // the kernel's counters may go back a little
            sum += share[i];
        }
        for (int i = 0; i < share.length; i++) {
            share[i] /= sum; // NaN if no time has passed
        }
        return new CpuUse(share[0], share[1], share[2], share[3], share[4], share[5], share[6]);
    }

    private List<ProcessUse> own(Map<String, Long> processes, long now) {
        var uses = new ArrayList<ProcessUse>();
        for (Entry<String, Long> process : processes.entrySet()) {
            machine.process(process.getValue())
                    .ifPresent(counters -> uses.add(own.compute(
                                    process.getKey(),
                                    (_, known) ->
                                            known != null && known.is(counters) ? known : new OwnProcess(counters))
                            .use(process.getKey(), counters, now)));
        }
        own.keySet().retainAll(processes.keySet());
        return uses;
    }

    private Top search() {
        long now = clock.nanos();
        double seconds = (now - allNanos) / 1e9;
        Map<Long, ProcessCounters> before = all;
        var found = new HashMap<Long, ProcessCounters>();
        Optional<ProcessUse> cpuMost = Optional.empty();
        Optional<ProcessUse> memoryMost = Optional.empty();
        for (ProcessCounters each : machine.processes()) {
            found.put(each.pid(), each);
            ProcessCounters known = before.get(each.pid());
            double cores = known != null && known.startMillis() == each.startMillis()
                    ? (each.cpuSeconds() - known.cpuSeconds()) / seconds
                    : Double.NaN;
            var use = new ProcessUse(each.name(), each.pid(), cores, each.memoryBytes(), ByteRates.UNKNOWN);
            if (cores >= 0 && cpuMost.map(most -> most.cores() < cores).orElse(true)) {
                cpuMost = Optional.of(use);
            }
            if (memoryMost.map(most -> most.memoryBytes() < use.memoryBytes()).orElse(true)) {
                memoryMost = Optional.of(use);
            }
        }
        all = found;
        allNanos = now;
        return new Top(cpuMost, memoryMost);
    }

    /// A process of the training, with its counters of the sample before.
    private static final class OwnProcess {
        private final ProcessCounters first;
        private final Meter cpu = new Meter();
        private final Meter read = new Meter();
        private final Meter written = new Meter();

        OwnProcess(ProcessCounters first) {
            this.first = first;
        }

        boolean is(ProcessCounters counters) {
            return first.pid() == counters.pid() && first.startMillis() == counters.startMillis();
        }

        ProcessUse use(String name, ProcessCounters now, long nanos) {
            return new ProcessUse(
                    name,
                    now.pid(),
                    cpu.rate(now.cpuSeconds(), nanos),
                    now.memoryBytes(),
                    new ByteRates(
                            read.rate(now.diskBytes().in(), nanos),
                            written.rate(now.diskBytes().out(), nanos)));
        }
    }
}
