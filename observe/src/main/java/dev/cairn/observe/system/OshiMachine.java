package dev.cairn.observe.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;
import oshi.util.FileUtil;
import oshi.util.ParseUtil;

/// This machine, as OSHI sees it.
final class OshiMachine implements Machine {
    private static final String MEMORY = "/proc/meminfo";
    private static final double MILLIS = 1e3;

    private final HardwareAbstractionLayer hardware;
    private final OperatingSystem system;
    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final List<NetworkIF> interfaces;
    private final boolean hasMemoryFile = Files.isReadable(Path.of(MEMORY));

    OshiMachine() {
        var info = new SystemInfo();
        this.hardware = info.getHardware();
        this.system = info.getOperatingSystem();
        this.processor = hardware.getProcessor();
        this.memory = hardware.getMemory();
        this.interfaces = hardware.getNetworkIFs();
    }

    @Override
    public int cores() {
        return processor.getLogicalProcessorCount();
    }

    @Override
    public long[] cpu() {
        long[] ticks = processor.getSystemCpuLoadTicks();
        return new long[] {
            ticks[TickType.USER.getIndex()] + ticks[TickType.NICE.getIndex()],
            ticks[TickType.SYSTEM.getIndex()],
            ticks[TickType.IDLE.getIndex()],
            ticks[TickType.IOWAIT.getIndex()],
            ticks[TickType.IRQ.getIndex()],
            ticks[TickType.SOFTIRQ.getIndex()],
            ticks[TickType.STEAL.getIndex()]
        };
    }

    /// OSHI has neither buffers nor cache.
    @Override
    public MemoryUse memory() {
        if (!hasMemoryFile) {
            long available = memory.getAvailable();
            return new MemoryUse(memory.getTotal() - available, available, 0, 0);
        }
        Map<String, String> lines = FileUtil.getKeyValueMapFromFile(MEMORY, ":");
        long total = bytes(lines, "MemTotal");
        long free = bytes(lines, "MemFree");
        long buffers = bytes(lines, "Buffers");
        long cached = bytes(lines, "Cached") + bytes(lines, "SReclaimable");
        return new MemoryUse(total - free - buffers - cached, free, buffers, cached);
    }

    private static long bytes(Map<String, String> lines, String key) {
        return ParseUtil.parseDecimalMemorySizeToBinary(lines.getOrDefault(key, "0"));
    }

    @Override
    public ByteRates disk() {
        return sum(hardware.getDiskStores(), HWDiskStore::getReadBytes, HWDiskStore::getWriteBytes);
    }

    @Override
    public ByteRates network() {
        interfaces.forEach(NetworkIF::updateAttributes);
        return sum(interfaces, NetworkIF::getBytesRecv, NetworkIF::getBytesSent);
    }

    private static <T> ByteRates sum(List<T> devices, ToDoubleFunction<T> in, ToDoubleFunction<T> out) {
        return devices.isEmpty()
                ? ByteRates.UNKNOWN
                : new ByteRates(
                        devices.stream().mapToDouble(in).sum(),
                        devices.stream().mapToDouble(out).sum());
    }

    @Override
    public Optional<ProcessCounters> process(long pid) {
        @Nullable OSProcess found = system.getProcess(Math.toIntExact(pid));
        return Optional.ofNullable(found).map(OshiMachine::counters);
    }

    @Override
    public List<ProcessCounters> processes() {
        return system.getProcesses().stream().map(OshiMachine::counters).toList();
    }

    private static ProcessCounters counters(OSProcess process) {
        return new ProcessCounters(
                process.getProcessID(),
                process.getStartTime(),
                process.getName(),
                (process.getKernelTime() + process.getUserTime()) / MILLIS,
                process.getResidentSetSize(),
                new ByteRates(process.getBytesRead(), process.getBytesWritten()));
    }
}
