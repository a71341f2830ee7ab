package dev.cairn.observe.system;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts samples to JSON and back. `docs/SYSTEM.md` describes every key, and `SystemPageTest` compares the two.
final class SampleJson {
    static final String HEADER = "attempt";
    static final String SAMPLE = "sample";

    /// Shares and cores are rounded to this, so that lines are short.
    private static final double FINEST_SHARE = 1e4;

    private static final double FINEST_SECONDS = 1e3;
    private static final int LONGEST_NAME = 64;

    private SampleJson() {}

    static ObjectNode write(SystemSample sample) {
        ObjectNode line = JsonNodeFactory.instance
                .objectNode()
                .put("event", SAMPLE)
                .put("time", sample.time().toString())
                .put("seconds", Math.round(sample.seconds() * FINEST_SECONDS) / FINEST_SECONDS);
        CpuUse cpu = sample.cpu();
        share(line, "cpuUser", cpu.user());
        share(line, "cpuSystem", cpu.system());
        share(line, "cpuIdle", cpu.idle());
        share(line, "cpuWaiting", cpu.waiting());
        share(line, "cpuHardInterrupts", cpu.hardInterrupts());
        share(line, "cpuSoftInterrupts", cpu.softInterrupts());
        share(line, "cpuStolen", cpu.stolen());
        rate(line, "diskReadBytesPerSecond", sample.disk().in());
        rate(line, "diskWrittenBytesPerSecond", sample.disk().out());
        rate(line, "networkReceivedBytesPerSecond", sample.network().in());
        rate(line, "networkSentBytesPerSecond", sample.network().out());
        line.put("memoryUsedBytes", sample.memory().used())
                .put("memoryFreeBytes", sample.memory().free())
                .put("memoryBuffersBytes", sample.memory().buffers())
                .put("memoryCachedBytes", sample.memory().cached());
        sample.topCpu().ifPresent(top -> line.set("topCpu", process(top)));
        sample.topMemory().ifPresent(top -> line.set("topMemory", process(top)));
        ArrayNode processes = line.putArray("processes");
        sample.processes().forEach(each -> processes.add(process(each)));
        return line;
    }

    private static ObjectNode process(ProcessUse process) {
        String name = process.name();
        ObjectNode object = JsonNodeFactory.instance
                .objectNode()
                .put("name", name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME))
                .put("pid", process.pid());
        share(object, "cores", process.cores());
        object.put("memoryBytes", process.memoryBytes());
        rate(object, "diskReadBytesPerSecond", process.disk().in());
        rate(object, "diskWrittenBytesPerSecond", process.disk().out());
        return object;
    }

    /// JSON has no NaN.
    private static void share(ObjectNode object, String key, double value) {
        if (Double.isFinite(value)) {
            object.put(key, Math.round(value * FINEST_SHARE) / FINEST_SHARE);
        } else {
            object.putNull(key);
        }
    }

    private static void rate(ObjectNode object, String key, double value) {
        if (Double.isFinite(value)) {
            object.put(key, Math.round(value));
        } else {
            object.putNull(key);
        }
    }

    /// Empty if the line has no valid time. What else is missing is NaN, 0 or empty.
    static Optional<SystemSample> read(Map<String, @Nullable Object> line) {
        try {
            return Optional.of(new SystemSample(
                    Instant.parse(line.get("time") instanceof String time ? time : ""),
                    number(line, "seconds"),
                    new CpuUse(
                            number(line, "cpuUser"),
                            number(line, "cpuSystem"),
                            number(line, "cpuIdle"),
                            number(line, "cpuWaiting"),
                            number(line, "cpuHardInterrupts"),
                            number(line, "cpuSoftInterrupts"),
                            number(line, "cpuStolen")),
                    rates(line, "diskReadBytesPerSecond", "diskWrittenBytesPerSecond"),
                    rates(line, "networkReceivedBytesPerSecond", "networkSentBytesPerSecond"),
                    new MemoryUse(
                            bytes(line, "memoryUsedBytes"),
                            bytes(line, "memoryFreeBytes"),
                            bytes(line, "memoryBuffersBytes"),
                            bytes(line, "memoryCachedBytes")),
                    process(line.get("topCpu")),
                    process(line.get("topMemory")),
                    processes(line.get("processes"))));
        } catch (DateTimeException nonsense) {
            return Optional.empty();
        }
    }

    private static List<ProcessUse> processes(@Nullable Object value) {
        var processes = new ArrayList<ProcessUse>();
        if (value instanceof List<?> list) {
            list.forEach(each -> process(each).ifPresent(processes::add));
        }
        return processes;
    }

    private static Optional<ProcessUse> process(@Nullable Object value) {
        return value instanceof Map<?, ?> object && object.get("name") instanceof String name
                ? Optional.of(new ProcessUse(
                        name,
                        bytes(object, "pid"),
                        number(object, "cores"),
                        bytes(object, "memoryBytes"),
                        rates(object, "diskReadBytesPerSecond", "diskWrittenBytesPerSecond")))
                : Optional.empty();
    }

    private static ByteRates rates(Map<?, ?> object, String in, String out) {
        return new ByteRates(number(object, in), number(object, out));
    }

    private static double number(Map<?, ?> object, String key) {
        return object.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static long bytes(Map<?, ?> object, String key) {
        return object.get(key) instanceof Number number ? number.longValue() : 0;
    }
}
