package dev.cairn.checkpoint.crash;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.SavePolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A process that saves repeatedly and prints what it uses: `sample SAVES RSS_KB FILES RESTORE_NANOS RUN_BYTES`.
final class SoakWorker {
    /// 14 bytes each: ten megabytes.
    private static final int WEIGHTS = 750_000;

    private SoakWorker() {}

    public static void main(String[] arguments) throws IOException {
        Path run = Path.of(arguments[0]);
        int saves = Integer.parseInt(arguments[1]);
        int sampleEvery = Integer.parseInt(arguments[2]);
        SyntheticState state = new SyntheticState(1, WEIGHTS).at(0);
        var restored = new SyntheticState(1, WEIGHTS);
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withoutLog()
                .withListener(SoakWorker::heard);
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int save = 1; save <= saves; save++) {
                state.nudge(save);
                checkpoints.afterStep(save, state);
                checkpoints.awaitSave();
                if (save % sampleEvery == 0) {
                    checkpoints.awaitHousekeeping();
                    long start = processorNanos();
                    checkpoints.restoreLatest(restored);
                    long restoreNanos = processorNanos() - start;
                    if (restored.step() != save || !restored.digest().equals(state.digest())) {
                        throw new IllegalStateException("wrong bits restored after save " + save);
                    }
                    System.out.printf(
                            "sample %d %d %d %d %d%n",
                            save, residentKilobytes(), openFiles(), restoreNanos, bytesBelow(run));
                }
            }
            if (checkpoints.statistics().committed() != saves) {
                throw new IllegalStateException("saves failed or were skipped: " + checkpoints.statistics());
            }
        }
    }

    /// Prints only problems: successes would be printed ten thousand times.
    private static void heard(CheckpointEvent event) {
        switch (event) {
            case CheckpointEvent.SaveFailed _,
                    CheckpointEvent.HousekeepingFailed _,
                    CheckpointEvent.ChainInDoubt _,
                    CheckpointEvent.PassedOver _,
                    CheckpointEvent.Healed _,
                    CheckpointEvent.Rewritten _,
                    CheckpointEvent.DamageFound _,
                    CheckpointEvent.ScrubFailed _ -> System.out.println(event);
            case CheckpointEvent.Committed _, CheckpointEvent.Merged _, CheckpointEvent.Pruned _ -> {}
            case CheckpointEvent.SaveSkipped _, CheckpointEvent.SaveAborted _, CheckpointEvent.TooCoarse _ -> {}
            case CheckpointEvent.Restored _, CheckpointEvent.RestoredInPart _, CheckpointEvent.Forked _ -> {}
            case CheckpointEvent.Copied _,
                    CheckpointEvent.CopyFailed _,
                    CheckpointEvent.CopyAhead _,
                    CheckpointEvent.CopyPassedOver _,
                    CheckpointEvent.BestNotSaved _,
                    CheckpointEvent.Fetched _ -> {}
        }
    }

    /// The processor time of this process: unlike wall time, it does not depend on the load of the machine.
    private static long processorNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /// Without pages of files: how many of a library's code are resident, other processes decide too.
    private static long residentKilobytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    private static long bytesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
