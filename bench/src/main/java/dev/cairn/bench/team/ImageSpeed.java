package dev.cairn.bench.team;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.bench.FreshProcess;
import dev.cairn.bench.Medians;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.Parameter;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// How fast AlexNet learns with two workers, each on one core and with the batch that one worker has alone.
///
/// @param main the name of the program's main class
record ImageSpeed(String main, Path folder) {
    private static final int BATCH = 256;
    private static final int COLD_STEPS = 2;
    private static final int STEPS = 5;
    private static final int CLASSES = 10;
    private static final int ROUNDS = 8;

    /// The medians of the seconds of a step of one worker, of a step of two, and of a bare exchange of the gradients.
    record Times(double one, double two, double allreduce) {
        double speedup() {
            return 2 * one / two;
        }

        /// What two workers must reach: 1.6 times one, or nine tenths of what a step and then the exchange would.
        double must() {
            return Math.min(1.6, 2 * 0.9 * one / (one + allreduce));
        }
    }

    Times measure() throws IOException {
        return new Times(one(), two(), allreduce());
    }

    private static List<String> training(Path run, int batch) {
        return List.of(
                "alexnet",
                "--run",
                run.toString(),
                "--data",
                "digits",
                "--batch",
                Integer.toString(batch),
                "--optimizer",
                "momentum",
                "--threads",
                "1",
                "--steps",
                "1000",
                "--eval-every",
                "1000000",
                "--every",
                "1000000");
    }

    private double one() throws IOException {
        var arguments = new ArrayList<>(List.of("train"));
        arguments.addAll(training(folder.resolve("one"), BATCH));
        arguments.add("--trace-steps");
        Path log = folder.resolve("one.log");
        Process process = new ProcessBuilder(FreshProcess.command(main, List.of(), arguments))
                .redirectError(log.toFile())
                .start();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            long[] nanos = new long[COLD_STEPS + STEPS + 1];
            for (int i = 0; i < nanos.length; i++) {
                if (lines.readLine() == null) {
                    throw new IOException("the training ended: " + Files.readString(log));
                }
                nanos[i] = System.nanoTime();
            }
            double[] seconds = new double[STEPS];
            for (int i = 0; i < STEPS; i++) {
                seconds[i] = (nanos[COLD_STEPS + i + 1] - nanos[COLD_STEPS + i]) / 1e9;
            }
            return Medians.of(seconds).median();
        } finally {
            end(process);
        }
    }

    private double two() throws IOException {
        Path meetings = Files.createDirectory(folder.resolve("two-job"));
        try (var team = new WatchedTeam(main, meetings, 2, 0, training(folder.resolve("two"), 2 * BATCH))) {
            team.awaitStep(COLD_STEPS);
            return Medians.of(team.steps(STEPS)).median();
        }
    }

    private double allreduce() throws IOException {
        long floats = Architectures.alexnet28(CLASSES, 0.5).parameters().stream()
                .mapToLong(Parameter::count)
                .sum();
        String file = folder.resolve("allreduce").toString();
        var processes = new ArrayList<Process>();
        try {
            for (int rank = 0; rank < 2; rank++) {
                List<String> arguments =
                        List.of(file, Integer.toString(rank), "2", Long.toString(floats), Integer.toString(ROUNDS));
                processes.add(
                        new ProcessBuilder(FreshProcess.command(BareAllreduce.class.getName(), List.of(), arguments))
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start());
            }
            double[] seconds;
            try (BufferedReader lines = processes.getFirst().inputReader(UTF_8)) {
                seconds = lines.lines()
                        .filter(line -> line.startsWith(BareAllreduce.MARK))
                        .mapToDouble(line -> Long.parseLong(line.substring(BareAllreduce.MARK.length())) / 1e9)
                        .toArray();
            }
            if (seconds.length < ROUNDS) {
                throw new IOException("the bare exchange of the gradients failed");
            }
            // The first ones find memory that nobody has touched yet.
            return Medians.of(Arrays.copyOfRange(seconds, COLD_STEPS, ROUNDS)).median();
        } finally {
            for (Process process : processes) {
                end(process);
            }
        }
    }

    private static void end(Process process) throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
