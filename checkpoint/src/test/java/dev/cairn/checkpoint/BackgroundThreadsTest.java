package dev.cairn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BackgroundThreadsTest {
    private final int usual = nice();

    @Test
    void giveWayAndSoDoThoseThatTheyStart() {
        Executor background = starting(BackgroundThreads.named("test-background"));
        assertThat(CompletableFuture.supplyAsync(BackgroundThreadsTest::nice, background)
                        .join())
                .isEqualTo(BackgroundThreads.NICE);
        int inherited = CompletableFuture.supplyAsync(
                        () -> CompletableFuture.supplyAsync(
                                        BackgroundThreadsTest::nice,
                                        starting(Thread.ofPlatform().factory()))
                                .join(),
                        background)
                .join();
        assertThat(inherited).isEqualTo(BackgroundThreads.NICE);
    }

    @Test
    void leaveTheOthersAsTheyAre() {
        CompletableFuture.runAsync(() -> {}, starting(BackgroundThreads.named("test-background")))
                .join();
        assertThat(nice()).isEqualTo(usual);
    }

    private static Executor starting(ThreadFactory threads) {
        return task -> threads.newThread(task).start();
    }

    /// Of the calling thread, as the kernel tells it: the 17th field after the name in parentheses.
    private static int nice() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
