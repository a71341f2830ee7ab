package dev.cairn.tensorflow;

import dev.cairn.engine.Activation;
import dev.cairn.engine.Architectures;
import dev.cairn.engine.LocalLearner;
import dev.cairn.engine.Model;
import dev.cairn.engine.OptimizerSpec;
import dev.cairn.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts the threads that a learner starts beside another one. As a program, prints that number.
final class OwnThreads {
    private static final Model LENET = Architectures.lenet5(Activation.RELU, 10);
    private static final OptimizerSpec SGD = OptimizerSpec.of("sgd");

    private OwnThreads() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println(startedByALearnerWith(Integer.parseInt(arguments[0])));
    }

    /// Returns when these threads have ended.
    static int startedByALearnerWith(int threads) throws IOException {
        try (LocalLearner one = new TensorFlowEngine().learner(LENET, SGD, 7, 1)) {
            Set<String> before = running();
            Set<String> started = new HashSet<>();
            try (LocalLearner many = new TensorFlowEngine().learner(LENET, SGD, 7, threads)) {
                many.evaluate(Batches.of(LENET, 8, 1));
                started.addAll(running());
                started.removeAll(before); // Java's own threads may end at any time, so only new ones count.
            }
            one.evaluate(Batches.of(LENET, 8, 1));
            // Java may have started some that go on.
            Eventually.holds(
                    "they ended",
                    () -> started.stream().filter(OwnThreads::isRunning).count() < threads / 2);
            return started.size();
        }
    }

    private static boolean isRunning(String thread) {
        return Files.exists(Path.of("/proc/self/task", thread));
    }

    /// The numbers of this process's threads. The kernel may leave some out when a thread ends during the listing.
    private static Set<String> running() throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.map(task -> String.valueOf(task.getFileName())).collect(Collectors.toCollection(HashSet::new));
        }
    }
}
