package dev.cairn.checkpoint.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testkit.ChildProcess;
import dev.cairn.testkit.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One process saves a state of ten megabytes as often as a training of months would. In the end it needs no more
/// memory, no more files and no more time to restore than at the start.
class SoakTest {
    @TempDir
    Path folder;

    @Test
    void threeHundredSavesTakeNoMoreAndMore() throws Exception {
        // Compilers are not done yet. A buffer that leaked with each save would be 100 times this.
        soak(300, 10, 25);
    }

    @Test
    @Tag("soak")
    void tenThousandSavesTakeNoMoreAndMore() throws Exception {
        soak(10_000, 50, 5);
    }

    private record Sample(long save, long residentKilobytes, long openFiles, long restoreNanos, long runBytes) {}

    /// @param growth the growth of resident memory, in percent, that is tolerated
    private void soak(int saves, int sampleEvery, int growth) throws Exception {
        List<Sample> samples = measure(saves, sampleEvery);
        assertThat(samples).hasSize(saves / sampleEvery);
        List<Sample> warm = samples.subList(samples.size() / 3, samples.size());
        List<Sample> early = warm.subList(0, warm.size() / 4);
        List<Sample> late = warm.subList(warm.size() * 3 / 4, warm.size());
        String figures =
                "resident %,d -> %,d kB, files %d, restores %,d -> %,d us of processor time, run %,d -> %,d bytes"
                        .formatted(
                                median(early, Sample::residentKilobytes),
                                median(late, Sample::residentKilobytes),
                                median(late, Sample::openFiles),
                                sum(early, Sample::restoreNanos) / 1000,
                                sum(late, Sample::restoreNanos) / 1000,
                                most(early, Sample::runBytes),
                                most(late, Sample::runBytes));
        System.out.println("soak: " + saves + " saves: " + figures);
        assertThat(median(late, Sample::residentKilobytes))
                .as(figures)
                .isLessThan(median(early, Sample::residentKilobytes) * (100 + growth) / 100);
        assertThat(warm)
                .as(figures)
                .extracting(Sample::openFiles)
                .containsOnly(warm.getFirst().openFiles());
        assertThat(most(late, Sample::runBytes)).as(figures).isLessThan(most(early, Sample::runBytes) * 3 / 2);
        assertThat(sum(late, Sample::restoreNanos)).as(figures).isLessThan(3 * sum(early, Sample::restoreNanos));
    }

    private List<Sample> measure(int saves, int sampleEvery) throws Exception {
        // The heap has its full size from the start, and the test waits for the compilers: neither can cause late
        // growth.
        Command worker = Command.java(
                List.of(
                        "-Xms96m",
                        "-Xmx96m",
                        "-XX:+AlwaysPreTouch",
                        "-XX:+UseSerialGC",
                        "-Xbatch",
                        "--add-modules=jdk.incubator.vector"),
                SoakWorker.class,
                folder.resolve("run").toString(),
                Integer.toString(saves),
                Integer.toString(sampleEvery));
        var samples = new ArrayList<Sample>();
        // One arena: memory that a thread has freed serves the others too, instead of waiting for that thread.
        Command steady = worker.withErrorsInOutput().withVariable("MALLOC_ARENA_MAX", "1");
        try (ChildProcess process = steady.start()) {
            for (var line = process.nextLine(); line.isPresent(); line = process.nextLine()) {
                String[] parts = line.get().split(" ", -1);
                if (parts[0].equals("sample")) {
                    samples.add(new Sample(
                            Long.parseLong(parts[1]),
                            Long.parseLong(parts[2]),
                            Long.parseLong(parts[3]),
                            Long.parseLong(parts[4]),
                            Long.parseLong(parts[5])));
                }
            }
            int code = process.end();
            assertThat(code).as(process.out()).isZero();
        }
        return samples;
    }

    private static long sum(List<Sample> samples, ToLongFunction<Sample> figure) {
        return samples.stream().mapToLong(figure).sum();
    }

    private static long most(List<Sample> samples, ToLongFunction<Sample> figure) {
        return samples.stream().mapToLong(figure).max().orElseThrow();
    }

    private static long median(List<Sample> samples, ToLongFunction<Sample> figure) {
        return samples.stream()
                .mapToLong(figure)
                .sorted()
                .skip(samples.size() / 2)
                .findFirst()
                .orElseThrow();
    }
}
