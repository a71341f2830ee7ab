package dev.cairn.checkpoint.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.checkpoint.CheckpointEvent;
import dev.cairn.checkpoint.CheckpointOptions;
import dev.cairn.checkpoint.Checkpoints;
import dev.cairn.checkpoint.CountingState;
import dev.cairn.checkpoint.SavePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class BackgroundThreadsTest {
    private final int usual = nice();
    private final int nicer = Math.min(19, usual + BackgroundThreads.NICER);

    @Test
    void giveWayAndSoDoThoseThatTheyStart() {
        Executor background = starting(BackgroundThreads.named("test-background"));
        assertThat(CompletableFuture.supplyAsync(BackgroundThreadsTest::nice, background)
                        .join())
                .isEqualTo(nicer);
        int inherited = CompletableFuture.supplyAsync(
                        () -> CompletableFuture.supplyAsync(
                                        BackgroundThreadsTest::nice,
                                        starting(Thread.ofPlatform().factory()))
                                .join(),
                        background)
                .join();
        assertThat(inherited).isEqualTo(nicer);
    }

    @Test
    void leaveTheOthersAsTheyAre() {
        CompletableFuture.runAsync(() -> {}, starting(BackgroundThreads.named("test-background")))
                .join();
        assertThat(nice()).isEqualTo(usual);
    }

    @Test
    void theFirstSavesDoNotGiveWay(@TempDir Path run) throws IOException {
        var priorities = new CopyOnWriteArrayList<Integer>();
        var options = CheckpointOptions.defaults()
                .withPolicy(new SavePolicy.EverySteps(1))
                .withoutLog()
                .withListener(event -> {
                    if (event instanceof CheckpointEvent.Committed) {
                        priorities.add(nice());
                    }
                });
        var state = new CountingState();
        try (Checkpoints checkpoints = Checkpoints.open(run, options)) {
            for (int i = 0; i < 4; i++) {
                state.makeStep();
                checkpoints.afterStep(state.step, state);
                checkpoints.awaitSave();
            }
        }
        assertThat(priorities.subList(0, 4)).containsExactly(usual, usual, nicer, nicer);
    }

    private static Executor starting(ThreadFactory threads) {
        return task -> threads.newThread(task).start();
    }

    /// The nice value of the calling thread, from the kernel: the 17th field after the name in parentheses.
    private static int nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
