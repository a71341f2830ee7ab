package dev.cairn.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.notice.Notice;
import dev.cairn.checkpoint.notice.Notices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A lossless resume ends in the same bits, for every workload, engine and optimizer.
class ResumeTest {
    private static final Map<String, Long> STEPS = Map.of("lr", 130L, "lenet", 24L, "alexnet", 4L, "mf", 90L);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "torch, lr, sgd", "torch, lr, momentum", "torch, lr, adam",
        "torch, lenet, sgd", "torch, lenet, momentum", "torch, lenet, adam",
        "torch, mf, sgd", "torch, mf, momentum", "torch, mf, adam",
        "tensorflow, lr, sgd", "tensorflow, lr, momentum", "tensorflow, lr, adam",
        "tensorflow, lenet, sgd", "tensorflow, lenet, momentum", "tensorflow, lenet, adam",
        "tensorflow, mf, sgd", "tensorflow, mf, momentum", "tensorflow, mf, adam"
    })
    void endsInTheSameBits(String engine, String workload, String optimizer) throws IOException {
        resume(engine, workload, optimizer);
    }

    /// With dropout, and states of 120 to 360 MB.
    @ParameterizedTest
    @Tag("soak")
    @CsvSource({
        "torch, sgd", "torch, momentum", "torch, adam",
        "tensorflow, sgd", "tensorflow, momentum", "tensorflow, adam"
    })
    void alexnetEndsInTheSameBits(String engine, String optimizer) throws IOException {
        resume(engine, "alexnet", optimizer);
    }

    @ParameterizedTest
    @CsvSource({"torch", "tensorflow"})
    void alexnetEndsInTheSameBits(String engine) throws IOException {
        resume(engine, "alexnet", "sgd");
    }

    private void resume(String engine, String workload, String optimizer) throws IOException {
        long steps = STEPS.getOrDefault(workload, 0L);
        TrainingRequest request = TrainingRequest.of(workload)
                .with("engine", engine)
                .with("optimizer", optimizer)
                .with("batch", workload.equals("alexnet") ? 4 : null)
                .with("schedule", "warmup:3+cosine")
                .with("clip", 1.0)
                .with("weightDecay", 1e-4)
                .with("evaluateEvery", workload.equals("alexnet") ? 1000 : 20)
                .with("threads", 2)
                .with("steps", steps);
        TrainingResult straight = new TestTraining(request).run(folder.resolve("straight"));
        // As after a kill: the process that continues knows only the checkpoint.
        for (long stop : new long[] {1, steps / 2, steps - 1}) {
            var notices = Notices.none();
            TrainingResult stopped = new TestTraining(request)
                    .with(notices, step -> {
                        if (step == stop) {
                            notices.post(Notice.byHand("test"));
                        }
                    })
                    .run(folder.resolve("resumed"));
            assertThat(stopped.step()).isEqualTo(stop);
        }
        TrainingResult resumed = new TestTraining(request).run(folder.resolve("resumed"));
        assertThat(resumed.resumedFromStep()).isEqualTo(steps - 1);
        assertThat(resumed.weightsSha256()).isEqualTo(straight.weightsSha256());
        assertThat(resumed.bestScore()).isEqualTo(straight.bestScore());
        assertThat(resumed.loss()).isEqualTo(straight.loss());
    }
}
