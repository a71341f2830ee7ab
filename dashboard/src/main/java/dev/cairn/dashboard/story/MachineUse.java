package dev.cairn.dashboard.story;

import dev.cairn.dashboard.points.Curve;
import dev.cairn.dashboard.points.Millis;
import dev.cairn.observe.system.ProcessUse;
import dev.cairn.observe.system.SystemRecording;
import dev.cairn.observe.system.SystemSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How a host and the processes of a training on it were used, in the order of time. Does not change.
public final class MachineUse {
    private final String host;
    private final int cores;
    private final Map<Figure, Curve> figures = new TreeMap<>();
    private final Map<String, Curve> processes = new TreeMap<>();
    private final Map<String, Curve> memory = new TreeMap<>();
    private final List<Failure> replacements = new ArrayList<>();

    /// What is measured of a host.
    public enum Figure {
        /// The cores that are busy.
        CPU,
        /// Bytes of memory that programs use.
        MEMORY,
        /// Bytes a second.
        RECEIVED,
        /// Bytes a second.
        SENT,
        /// Bytes a second.
        READ,
        /// Bytes a second.
        WRITTEN
    }

    private MachineUse(SystemRecording recording) {
        this.host = recording.host();
        this.cores = recording.cores();
        for (Figure figure : Figure.values()) {
            figures.put(figure, new Curve());
        }
        var pids = new TreeMap<String, Long>();
        long before = 0;
        for (SystemSample sample : recording.samples()) {
            long time = Millis.of(sample.time());
            add(time, sample);
            for (ProcessUse process : sample.processes()) {
                processes.computeIfAbsent(process.name(), _ -> new Curve()).add(time, 0, process.cores());
                memory.computeIfAbsent(process.name(), _ -> new Curve()).add(time, 0, (double) process.memoryBytes());
                Long pid = pids.put(process.name(), process.pid());
                if (pid != null && pid != process.pid()) {
                    replacements.add(new Failure(Failure.Kind.REPLACED, before, time, process.name(), -1, -1, 0, ""));
                }
            }
            before = time;
        }
    }

    static MachineUse of(SystemRecording recording) {
        return new MachineUse(recording);
    }

    private void add(long time, SystemSample sample) {
        double idle = sample.cpu().idle() + sample.cpu().waiting();
        figure(Figure.CPU).add(time, 0, (1 - idle) * cores);
        figure(Figure.MEMORY).add(time, 0, (double) sample.memory().used());
        figure(Figure.RECEIVED).add(time, 0, sample.network().in());
        figure(Figure.SENT).add(time, 0, sample.network().out());
        figure(Figure.READ).add(time, 0, sample.disk().in());
        figure(Figure.WRITTEN).add(time, 0, sample.disk().out());
    }

    /// The name of the host; empty if it has none.
    public String host() {
        return host;
    }

    /// Whether somebody recorded figures from before this time until after that one.
    boolean has(long from, long to) {
        Curve cpu = figure(Figure.CPU);
        return cpu.size() > 0 && cpu.time(0) <= from && cpu.time(cpu.size() - 1) >= to;
    }

    /// The number of its cores.
    public int cores() {
        return cores;
    }

    /// One figure of the host over time.
    public Curve figure(Figure figure) {
        return figures.computeIfAbsent(figure, _ -> new Curve());
    }

    /// The cores that each process keeps busy.
    public Map<String, Curve> processes() {
        return Collections.unmodifiableMap(processes);
    }

    /// The memory of each process.
    public Map<String, Curve> memory() {
        return Collections.unmodifiableMap(memory);
    }

    /// The workers that another process replaced.
    List<Failure> replacements() {
        return replacements;
    }
}
